#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folder for a user's data: the corrections and the list of trusted configurations.
public enum DataFolder {
  /// `aisle` in `$XDG_DATA_HOME` if that is an absolute path, otherwise in `~/.local/share`; `nil` without a home folder.
  public static var standard: String? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/aisle" }
    return variable("HOME").map { $0 + "/.local/share/aisle" }
  }
}
