/// What the argument parser says, in the words and the order of `aisle`.
enum ParserMessage {
  private static let errorMark = "Error: "

  /// A mistake in the command line, told as every other message is.
  static func mistake(_ text: String) -> String {
    text.hasPrefix(errorMark) ? "aisle: " + text.dropFirst(errorMark.count) : text
  }

  /// A command's help with its everyday options before those for language models.
  static func help(_ text: String) -> String {
    guard let model = text.firstRange(of: "\nLANGUAGE MODEL:\n"), let everyday = text.firstRange(of: "\nOPTIONS:\n"),
      model.lowerBound < everyday.lowerBound
    else { return text }
    let rest = text[everyday.lowerBound...]
    // The subcommands, where there are any, stay last.
    let end = rest.firstRange(of: "\nSUBCOMMANDS:\n")?.lowerBound ?? text.endIndex
    let options = text[everyday.lowerBound..<end]
    let separator = options.hasSuffix("\n") ? "" : "\n"
    return text[..<model.lowerBound] + options + separator + text[model.lowerBound..<everyday.lowerBound] + text[end...]
  }
}
