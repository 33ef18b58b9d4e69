/// A piece of HTML. Text put into it is escaped: only a literal of the source or other markup can hold a tag.
///
/// Attributes must stand in double quotes.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  /// The HTML.
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// The inside of a `<style>` or `<script>` element, as it is.
  init(raw text: StaticString) { self.text = text.description }

  mutating func append(_ other: Markup) { text += other.text }

  static func + (left: Markup, right: Markup) -> Markup {
    var sum = left
    sum.append(right)
    return sum
  }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + interpolationCount * 16) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ text: String) { Markup.escape(text, into: &self.text) }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    mutating func appendInterpolation(_ parts: some Sequence<Markup>) { for part in parts { text += part.text } }
  }
}

extension Markup {
  /// Appends a text, for the inside of an element and of an attribute in double quotes; what cannot be seen is made visible.
  private static func escape(_ source: String, into text: inout String) {
    let isPlain = source.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
        false
      default: byte >= 0x20 && byte < 0x7F
      }
    }
    if isPlain { return text += source }
    for scalar in VisibleText.line(source).unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "`": text += "&#96;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
