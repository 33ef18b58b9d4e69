/// What the argument parser says, in the words and the order of `aisle`.
enum ParserMessage {
  private static let errorMark = "Error: "

  /// A mistake in the command line, told as every other message is.
  static func mistake(_ text: String) -> String {
    guard text.hasPrefix(errorMark) else { return text }
    let text = withOptions(text)
    let end = text.firstIndex(of: "\n") ?? text.endIndex
    return "aisle: " + text[..<end].dropFirst(errorMark.count) + remedy(text) + text[end...]
  }

  /// What to do about an argument that a command does not take, or lacks.
  private static func remedy(_ text: String) -> String {
    if text.hasPrefix(errorMark + "Missing expected argument '<change>") {
      return "; a change begins with + or -, as in '+nut-butters: sunflower butter'"
    }
    guard text.hasPrefix(errorMark + "Unexpected argument"), let usage = text.firstRange(of: "\nUsage: ")?.upperBound else {
      return ""
    }
    let command = text[usage...]
    if ["aisle eval ", "aisle bless ", "aisle tune "].contains(where: command.hasPrefix) {
      return "; --corpus names a file of labeled items"
    }
    if ["aisle correct ", "aisle stores add-section ", "aisle stores rename-section "].contains(where: command.hasPrefix) {
      return "; put quotation marks around a name with spaces"
    }
    return ""
  }

  /// A usage line with options as what they are, not required: the parser forgets the brackets where there is nothing else.
  private static func withOptions(_ text: String) -> String { text.replacing(" <options>\n", with: " [<options>]\n") }

  /// A command's help with its everyday options before those for language models.
  static func help(_ text: String) -> String {
    let text = withOptions(text)
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
