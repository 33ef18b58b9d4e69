/// Makes texts of a program fit to be shown.
enum Printable {
  /// The text with blanks for control characters, cut to a number of characters.
  static func text(_ bytes: some Collection<UInt8>, limit: Int) -> String {
    var text = String.UnicodeScalarView()
    var count = 0
    for scalar in String(decoding: bytes.prefix(4 * limit), as: UTF8.self).unicodeScalars {
      if count == limit {
        text.append("…")
        break
      }
      count += 1
      text.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(text)
  }
}
