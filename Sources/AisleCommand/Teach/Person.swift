import ArgumentParser
import LearnedStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Who does something.
enum Person {
  /// The name that --by gives, or the user's.
  ///
  /// - Throws: `ValidationError` for one that no correction may carry.
  static func named(_ by: String?) throws -> String {
    if let by, !Origin.isName(by) { throw ValidationError("--by must have 1 to 100 bytes and no control characters.") }
    return by ?? user
  }

  /// The name that a correction carries when none is given: the user's.
  static var user: String {
    let environment = Environment.all
    for variable in ["USER", "LOGNAME"] { if let name = environment[variable], !name.isEmpty { return String(name.prefix(60)) } }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "someone"
  }
}
