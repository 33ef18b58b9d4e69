/// Makes untrusted text harmless in the formats that reports are written in.
enum Escaping {
  /// A text in one line of at most `limit` Unicode scalars, with control characters made visible; `…` stands for what is cut off.
  static func line(_ text: String, limit: Int = 160) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex), end != scalars.endIndex
    else {
      return visible(text)
    }
    return visible(String(scalars[..<end])) + "…"
  }

  /// A text with control characters and those that are not seen made visible.
  static func visible(_ text: String) -> String { VisibleText.line(text) }

  /// A text as the value of an XML attribute or the content of an element, XML 1.0.
  static func xml(_ text: String) -> String {
    let text = visible(text)
    if !text.utf8.contains(where: { isMarkup($0) }) { return text }
    return mapped(text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      default: nil
      }
    }
  }

  /// A text in a line of GitHub-flavored Markdown that is not its first word: no markup, no links, no mentions, no emoji names.
  static func markdown(_ text: String) -> String {
    let scalars = Array(visible(text).unicodeScalars)
    var result = ""
    for (place, scalar) in scalars.enumerated() {
      let before = place > 0 ? scalars[place - 1] : " "
      let after = place + 1 < scalars.count ? scalars[place + 1] : " "
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "|", "\\", "`", "*", "_", "~", "[", "]": result += "&#\(scalar.value);"
      // A comment keeps what follows from becoming a mention, a reference, an address or a picture.
      case "@", "#": result += "&#\(scalar.value);<!-- -->"
      case ":" where before == " " || after == "/" || after.properties.isAlphabetic: result += "&#58;<!-- -->"
      case "." where before == "w" || before == "W": result += "&#46;<!-- -->"
      case "$": result += "<span>$</span>"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The message of a workflow command.
  static func commandMessage(_ text: String) -> String {
    mapped(text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  /// The value of a property of a workflow command.
  static func commandProperty(_ text: String) -> String {
    mapped(commandMessage(text)) { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }

  /// A text within a line of a workflow's log. The line must begin with something else: `::` starts a command there, and the older
  /// `##[` anywhere.
  static func log(_ text: String) -> String {
    var before: Unicode.Scalar = " "
    return mapped(visible(text)) { scalar in
      defer { before = scalar }
      return scalar == "#" && before == "#" ? "\\#" : nil
    }
  }

  /// Whether a byte means something in XML.
  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
    default: false
    }
  }

  /// A text with some of its scalars replaced.
  private static func mapped(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
