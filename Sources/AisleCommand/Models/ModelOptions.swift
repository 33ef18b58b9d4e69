import ArgumentParser

/// Which language model is asked about what is left, and how much it may cost: shared by the commands that decide items.
///
/// The argument parser looks for options in a mirror, and each of them would cost every run 0.05 ms. So the mirror is empty where the
/// command line mentions none of these, and nobody asks what there is.
struct ModelOptions: ParsableArguments, CustomReflectable {
  @OptionGroup(title: "Language model") private var flags: ModelFlags

  private enum CodingKeys: CodingKey { case flags }

  /// What the command line says; `nil` where it says nothing.
  var given: ModelFlags? { Self.areMentioned ? flags : nil }

  private static let signs = [
    "--llm", "--max-", "--new-", "--help", "--experimental-", "--generate-", "---completion", "--version",
  ]

  /// Whether the command line mentions any of them, or asks what there is.
  private static let areMentioned = CommandLine.arguments.dropFirst().contains { argument in
    argument == "-h" || argument == "help" || signs.contains { argument.hasPrefix($0) }
  }

  /// The options, where the parser shall find them.
  var customMirror: Mirror { Mirror(self, children: Self.areMentioned ? ["_flags": _flags] : [:]) }

  init() {}

  init(from decoder: any Decoder) throws {
    self.init()
    guard Self.areMentioned else { return }
    _flags = try decoder.container(keyedBy: CodingKeys.self).decode(OptionGroup<ModelFlags>.self, forKey: .flags)
  }
}
