#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where the tool keeps what it knows of a person: the corrections, and which configurations are trusted.
public enum DataFolder {
  /// `aisle` in `$XDG_DATA_HOME`, where that is an absolute path, else in `~/.local/share`; `nil` without a home.
  public static var standard: String? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/aisle" }
    return variable("HOME").map { $0 + "/.local/share/aisle" }
  }
}
