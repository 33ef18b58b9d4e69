// The environment is only read, when a program starts.
#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// The variables that a program gets: all of this process's but those that may hold a key.
enum ProgramEnvironment {
  /// What the words of such names end with.
  private static let signs = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"]

  /// Whether a variable may hold a key: its name begins with `AISLE_LLM_`, or a word of it, between underscores, ends with one of
  /// `signs`, in any case, also in the plural.
  static func mayHoldKey(_ name: some StringProtocol) -> Bool {
    let name = name.uppercased()
    if name.hasPrefix("AISLE_LLM_") { return true }
    return name.split(separator: "_").contains { word in signs.contains { word.hasSuffix($0) || word.hasSuffix($0 + "S") } }
  }

  /// The entries of the environment, as they are, with `nil` at the end: for a start of a program right away.
  ///
  /// - Parameter named: The variables that are passed on although they may hold a key.
  static func entries(passing named: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let place = next, let entry = place.pointee {
      let name = String(cString: entry).prefix { $0 != "=" }
      if !mayHoldKey(name) || named.contains(where: { $0 == name }) { entries.append(entry) }
      next = place + 1
    }
    return entries + [nil]
  }
}
