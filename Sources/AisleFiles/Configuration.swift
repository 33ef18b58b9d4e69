public import AisleCore
import Yams

/// What `aisle.yaml` sets: the store, the chain, programs that decide items, and how accuracy is measured.
public struct Configuration: Sendable {
  /// A value and the place that set it.
  public struct Setting<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// Where it is set.
    public let location: SourceLocation
  }

  /// A program that decides items, over JSON lines on its standard input and output.
  public struct Program: Sendable {
    /// The name that chains use.
    public let name: String
    /// The program and its arguments; a relative program with a slash is relative to the file's folder.
    public let command: [String]
    /// How long 64 items may take, including the start, in seconds.
    public let timeout: Double
    /// Whether a run fails when the program fails; otherwise its items go to the next strategy.
    public let isRequired: Bool
    /// The variables to pass on even if they may hold a key.
    public let environment: [String]
    /// Where it is set.
    public let location: SourceLocation
  }

  /// The file.
  public let path: String
  /// The store.
  public internal(set) var store: Setting<String>?
  /// The languages that items are in, the one that counts first before the others.
  public internal(set) var languages: Setting<[String]>?
  /// The folder with the store files.
  public internal(set) var taxonomies: Setting<String>?
  /// The corrections file; `off` for none.
  public internal(set) var corrections: Setting<String>?
  /// The chain as written.
  public internal(set) var chain: Setting<String>?
  /// The chain's policy.
  public internal(set) var policy: Setting<Chain.Policy>?
  /// The programs, in the order of the file.
  public internal(set) var programs: [Program] = []
  /// The language model.
  public internal(set) var model: Model?
  /// The corpus files and folders.
  public internal(set) var corpus: [Setting<String>] = []
  /// The evaluations.
  public internal(set) var evaluation: Evaluation?

  init(path: String) { self.path = path }

  /// The file's name.
  public static let name = "aisle.yaml"

  /// The longest timeout of a batch, in seconds.
  public static let longestTimeout = 3600.0

  /// The folder that relative paths in the file start from, with a trailing slash; empty for the working folder.
  public var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
}

extension Configuration.Program {
  /// What is wrong with the name of a variable to pass to a program, in one line; `nil` if nothing is.
  public static func fault(ofVariable name: String) -> String? {
    let isName = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    if isName, name.utf8.first?.isASCIIDigit == false { return nil }
    return "`\(name)` is not a variable name; write the name without a value, e.g. MY_SERVICE_TOKEN"
  }
}

extension Configuration {
  /// Reads a configuration and reports everything wrong with it.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  public static func read(_ path: String) throws(FileError) -> (configuration: Configuration, findings: [Finding]) {
    parse(try FileReader.read(path), path: path)
  }

  /// Reads the contents of a configuration and reports everything wrong with it.
  public static func parse(_ contents: [UInt8], path: String) -> (configuration: Configuration, findings: [Finding]) {
    var parser = ConfigurationParser(path: path)
    let configuration = parser.parse(contents)
    return (configuration, parser.findings)
  }
}

struct ConfigurationParser {
  private static let fields = [
    "store", "language", "taxonomies", "corrections", "chain", "policy", "strategies", "llm", "corpus", "eval",
  ]
  private static let programFields = ["command", "timeout", "required", "environment"]

  var yaml: YAMLReader
  private var configuration: Configuration

  init(path: String) {
    yaml = YAMLReader(path: path, manual: "docs/configuration.md", mayBeEmpty: true)
    configuration = Configuration(path: path)
  }

  var findings: [Finding] { yaml.findings }

  mutating func parse(_ bytes: [UInt8]) -> Configuration {
    guard let root = yaml.read(bytes), let fields = yaml.mapping(root, of: "the file", allowed: Self.fields) else {
      return configuration
    }
    configuration.store = fields["store"].flatMap { text($0) }
    configuration.languages = fields["language"].map { node in
      let ids = node.sequence == nil ? yaml.string(node).map { [$0] } ?? [] : yaml.strings(node)
      return .init(value: ids.map(\.value), location: yaml.location(node))
    }
    configuration.taxonomies = fields["taxonomies"].flatMap { file($0) }
    configuration.corrections = fields["corrections"].flatMap { corrections($0) }
    if let chain = fields["chain"] {
      if chain.sequence != nil {
        let links = yaml.strings(chain)
        configuration.chain = .init(value: links.map(\.value).joined(separator: ","), location: yaml.location(chain))
      } else {
        configuration.chain = text(chain)
      }
    }
    if let written = fields["policy"].flatMap({ yaml.string($0) }) {
      let known = Chain.Policy.allCases.map(\.rawValue)
      if let policy = Chain.Policy(rawValue: written.value) {
        configuration.policy = .init(value: policy, location: written.location)
      } else {
        let hint = DidYouMean.hint(written.value, among: known)
        yaml.report(
          written.location,
          "unknown policy `\(written.value)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)")
      }
    }
    configuration.model = fields["llm"].flatMap { model($0) }
    configuration.corpus = fields["corpus"].map { texts($0).map(placed) } ?? []
    configuration.evaluation = fields["eval"].flatMap { evaluation($0) }
    if let programs = fields["strategies"] {
      if let mapping = programs.mapping {
        for (key, value) in mapping {
          guard let name = yaml.string(key), let program = program(name, value) else { continue }
          configuration.programs.append(program)
        }
      } else {
        yaml.report(
          yaml.location(programs),
          "`strategies` must be `name:` with fields under it (\(Self.programFields.joined(separator: ", ")))")
      }
    }
    return configuration
  }

  private mutating func program(_ name: Located<String>, _ node: Node) -> Configuration.Program? {
    if !Shelf.isValid(name: name.value) {
      yaml.report(name.location, "strategy name `\(name.value)` may have only a-z, 0-9, and hyphens")
    }
    guard let fields = yaml.mapping(node, of: "strategy `\(name.value)`", allowed: Self.programFields),
      let commandNode = yaml.required("command", in: fields, at: node)
    else { return nil }
    guard commandNode.sequence != nil else {
      yaml.report(yaml.location(commandNode), "`command` must be a list: [program, argument, …]")
      return nil
    }
    var command = yaml.strings(commandNode).map(\.value)
    guard let program = command.first, !program.isEmpty else {
      yaml.report(yaml.location(commandNode), "`command` is empty; write [program, argument, …]")
      return nil
    }
    if program.contains("/"), !program.hasPrefix("/") { command[0] = configuration.folder + program }
    return Configuration.Program(
      name: name.value, command: command, timeout: timeout(fields["timeout"]), isRequired: flag(fields["required"]),
      environment: variables(fields["environment"]), location: name.location)
  }

  /// The names of variables to pass on.
  private mutating func variables(_ node: Node?) -> [String] {
    guard let node else { return [] }
    guard node.sequence != nil else {
      yaml.report(yaml.location(node), "`environment` must be a list of variables to pass on: [NAME, …]")
      return []
    }
    return yaml.strings(node).compactMap { name in
      if let fault = Configuration.Program.fault(ofVariable: name.value) {
        yaml.report(name.location, fault)
        return nil
      }
      return name.value
    }
  }

  private mutating func timeout(_ node: Node?) -> Double {
    let standard = 10.0
    guard let written = node.flatMap({ yaml.string($0) }) else { return standard }
    guard let seconds = Double(written.value), seconds > 0, seconds <= Configuration.longestTimeout else {
      yaml.report(
        written.location, "`timeout` must be a number of seconds more than 0 and at most \(Int(Configuration.longestTimeout))")
      return standard
    }
    return seconds
  }

  private mutating func flag(_ node: Node?) -> Bool {
    guard let written = node.flatMap({ yaml.string($0) }) else { return false }
    if !["true", "false"].contains(written.value) { yaml.report(written.location, "`required` must be true or false") }
    return written.value == "true"
  }

  mutating func text(_ node: Node) -> Configuration.Setting<String>? {
    yaml.string(node).map { .init(value: $0.value, location: $0.location) }
  }

  /// The file with the corrections; `off` stays as it is written.
  private mutating func corrections(_ node: Node) -> Configuration.Setting<String>? {
    guard let written = text(node) else { return nil }
    if written.value.isEmpty { yaml.report(written.location, "`corrections` is empty; name a file, or `off` for none") }
    return written.value == "off" ? written : file(node)
  }

  /// A path, relative to the file's folder.
  mutating func file(_ node: Node) -> Configuration.Setting<String>? {
    text(node).map(placed)
  }

  /// A path as written, relative to the file's folder.
  private func placed(_ path: Configuration.Setting<String>) -> Configuration.Setting<String> {
    .init(value: path.value.hasPrefix("/") ? path.value : configuration.folder + path.value, location: path.location)
  }
}
