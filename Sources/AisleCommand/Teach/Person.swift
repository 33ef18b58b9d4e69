#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Who does something.
enum Person {
  /// The name that a correction carries when none is given: the user's.
  static var name: String {
    let environment = Environment.all
    for variable in ["USER", "LOGNAME"] { if let name = environment[variable], !name.isEmpty { return String(name.prefix(60)) } }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "someone"
  }
}
