public import AisleCore
public import AisleFiles

/// Reads a configuration after checking whose it is.
///
/// A configuration that was found rather than named must be the user's own (see `Ownership`). One that reaches beyond its folder
/// must always be the user's own, and must also be trusted.
public struct ConfigurationLoader: Sendable {
  /// The trusted configurations; `nil` for none.
  public var trusted: TrustedConfigurations?
  /// Whether the user vouches for the configuration, whoever owns it and whatever it does.
  public var isVouchedFor = false

  /// Makes a loader.
  public init(trusted: TrustedConfigurations? = .standard) { self.trusted = trusted }

  /// Reads a configuration.
  ///
  /// - Parameter isNamed: Whether the user named it. If so, a configuration that is only data may belong to anyone.
  /// - Throws: `FileError` if it cannot be read, `ForeignConfiguration` if it may be another user's, `BrokenConfiguration` if it has
  ///   errors, and `UntrustedConfiguration` if it must be trusted first.
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

/// A configuration that may be another user's.
public struct ForeignConfiguration: Error, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The reason.
  public let fault: Ownership.Fault

  /// What is wrong and the remedies, in one line.
  public var description: String {
    let what = fault.path == path ? fault.reason : "is not obeyed, because \(fault)"
    return "\(path): \(what); use --config off to run without it, or --trust to obey it once"
  }
}

/// A configuration with errors.
public struct BrokenConfiguration: Error, Sendable, CustomStringConvertible {
  /// The errors, at least one.
  public let findings: [Finding]

  /// Makes an error of at least one finding.
  public init(findings: [Finding]) { self.findings = findings }

  /// The first error, and how to see the others.
  public var description: String {
    let rest = findings.count - 1
    return "\(findings[0])" + (rest > 0 ? " (and \(rest) more; run `aisle config check`)" : "")
  }
}

/// A configuration that reaches beyond its folder and has not been trusted with its current content.
public struct UntrustedConfiguration: Error, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What it does beyond its folder, at least one thing.
  public let reach: [Configuration.Reach]
  /// Its content: the bytes to which trust applies.
  public let contents: [UInt8]

  /// The first thing that it does, and the remedies, in one line.
  public var description: String {
    let rest = reach.count > 1 ? " (and \(reach.count - 1) more)" : ""
    return "\(reach[0].location): \(reach[0])\(rest), but is not trusted yet; read it, then run `aisle config trust`, "
      + "or add --trust to obey it once"
  }
}
