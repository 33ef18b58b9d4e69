#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folders for what is a user's own: the data, which are the corrections and the list of trusted configurations, and the settings.
public enum DataFolder {
  /// `aisle` in `$XDG_DATA_HOME` if that is an absolute path, otherwise in `~/.local/share`; `nil` without a home folder.
  public static var standard: String? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/aisle" }
    return variable("HOME").map { $0 + "/.local/share/aisle" }
  }

  /// The folder for settings: `aisle` in `$XDG_CONFIG_HOME` if that is an absolute path, otherwise in `~/.config`; `nil` without a home
  /// folder.
  public static var settings: String? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if let settings = variable("XDG_CONFIG_HOME"), settings.hasPrefix("/") { return settings + "/aisle" }
    return variable("HOME").map { $0 + "/.config/aisle" }
  }
}
