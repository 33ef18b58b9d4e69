/// Writes texts as JSON strings.
package enum JSONText {
  /// Appends bytes as a JSON string with its quotes; what is no UTF-8 becomes U+FFFD.
  package static func append(_ bytes: some Collection<UInt8>, to output: some ByteSink) {
    output.append("\"")
    appendContents(bytes, to: output)
    output.append("\"")
  }

  /// Appends the inside of a JSON string.
  package static func appendContents(_ bytes: some Collection<UInt8>, to output: some ByteSink) {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    if isPlain { return output.append(bytes) }
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": output.append("\\\"")
      case "\\": output.append("\\\\")
      case "\n": output.append("\\n")
      case "\r": output.append("\\r")
      case "\t": output.append("\\t")
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        output.append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
      default: output.append(String(Character(scalar)))
      }
    }
  }
}
