#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The environment, without Foundation.
struct Environment {
  static let all = Environment()

  /// A variable's value; `nil` where it is not set.
  subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }

  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
