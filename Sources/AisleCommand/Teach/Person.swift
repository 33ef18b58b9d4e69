#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Who does something, and when.
enum Person {
  /// The name that a correction carries when none is given: the user's.
  static var name: String {
    let environment = Environment.all
    for variable in ["USER", "LOGNAME"] { if let name = environment[variable], !name.isEmpty { return String(name.prefix(60)) } }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "someone"
  }

  /// The time, in milliseconds since 1970 in UTC.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // Without a trap whatever the clock says; a time that cannot be kept is refused by the store.
    return Int(time.tv_sec) &* 1000 &+ Int(time.tv_nsec) / 1_000_000
  }
}
