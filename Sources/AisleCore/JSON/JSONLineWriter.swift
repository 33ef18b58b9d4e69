/// Writes JSON objects, one a line.
package struct JSONLineWriter {
  private let buffer = ByteBuffer()

  /// Makes a writer without objects.
  package init() {}

  /// What was added.
  package var bytes: [UInt8] { buffer.bytes }

  /// Adds an object; fields whose value is `nil` are left out. Values are JSON already.
  package func add(_ fields: [(name: String, value: Value?)]) {
    var separator = "{"
    for case (let name, let value?) in fields {
      buffer.append(separator)
      JSONText.append(Array(name.utf8), to: buffer)
      buffer.append(":")
      switch value {
      case .text(let text): JSONText.append(Array(text.utf8), to: buffer)
      case .number(let number): buffer.append("\(number)")
      case .whole(let number): buffer.append("\(number)")
      case .flag(let flag): buffer.append("\(flag)")
      case .written(let json): buffer.append(json)
      }
      separator = ","
    }
    buffer.append("}\n")
  }

  /// A value; one that is JSON already stays as it was written.
  package enum Value { case text(String), number(Double), whole(Int), flag(Bool), written(String) }
}
