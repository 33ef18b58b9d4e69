public import AisleCore
public import AisleFiles

/// Reads the configuration that is obeyed, once it is sure whose word it is.
///
/// One that was found, not named, must be the user's own (see `Ownership`). One that reaches beyond its folder must be that however it was
/// come by, and be trusted besides.
public struct ConfigurationLoader: Sendable {
  /// What is trusted; `nil` for nothing.
  public var trusted: TrustedConfigurations?
  /// Whether the person at the keyboard answers for the configuration, whoever it belongs to and whatever it does.
  public var isVouchedFor = false

  /// Makes a loader.
  public init(trusted: TrustedConfigurations? = .standard) { self.trusted = trusted }

  /// Reads a configuration.
  ///
  /// - Parameter isNamed: Whether a person named it, so that what is only data may belong to anyone.
  /// - Throws: `FileError` for one that cannot be read, `ForeignConfiguration` for one that may be another user's word,
  ///   `BrokenConfiguration` for one with errors, `UntrustedConfiguration` for one that must be trusted first.
  public func load(_ path: String, isNamed: Bool) throws -> Configuration {
    let fault = isVouchedFor ? nil : Ownership.fault(of: path)
    // A file that is not there is a fault too, but another one.
    let contents = try FileReader.read(path)
    if let fault, !isNamed { throw ForeignConfiguration(path: path, fault: fault) }
    let (configuration, findings) = Configuration.parse(contents, path: path)
    if !findings.isEmpty { throw BrokenConfiguration(findings: findings) }
    if isVouchedFor { return configuration }
    let reach = configuration.reach
    if reach.isEmpty { return configuration }
    if let fault { throw ForeignConfiguration(path: path, fault: fault) }
    if trusted?.contains(path, contents) == true { return configuration }
    throw UntrustedConfiguration(path: path, reach: reach, contents: contents)
  }
}

/// A configuration that may be another user's word.
public struct ForeignConfiguration: Error, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What shows it.
  public let fault: Ownership.Fault

  /// What is wrong and the remedies, in one line.
  public var description: String {
    let what = fault.path == path ? fault.reason : "is not obeyed, since \(fault)"
    return "\(path): \(what); --config off goes on without it, --trust obeys it this once"
  }
}

/// A configuration with errors.
public struct BrokenConfiguration: Error, Sendable, CustomStringConvertible {
  /// The errors, at least one.
  public let findings: [Finding]

  /// The first error, and how to see the others.
  public var description: String {
    let rest = findings.count - 1
    return "\(findings[0])" + (rest > 0 ? " (and \(rest) more: `aisle config check`)" : "")
  }
}

/// A configuration that reaches beyond its folder, and that nobody has trusted with these contents yet.
public struct UntrustedConfiguration: Error, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What it does beyond its folder, at least one thing.
  public let reach: [Configuration.Reach]
  /// What it holds: the bytes that trust is for.
  public let contents: [UInt8]

  /// What it does first, and the remedies, in one line.
  public var description: String {
    let rest = reach.count > 1 ? " (and \(reach.count - 1) more)" : ""
    return "\(reach[0].location): \(reach[0])\(rest), and is not trusted to yet; read it, then run `aisle config trust`, "
      + "or add --trust to obey it this once"
  }
}
