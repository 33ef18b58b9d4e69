import AisleCore

/// A line that asks a program for the sections of items.
enum Request {
  /// The most items of a request: few, so that a time limit for a request means something.
  static let mostItems = 64
  /// The longest item that is asked for, in bytes: nobody writes a longer one.
  static let longestItem = 8 * 1024

  static func line(_ id: Int, _ items: [[UInt8]]) -> [UInt8] {
    let line = ByteBuffer()
    line.append("{\"type\":\"decide\",\"id\":\(id),\"items\":[")
    for (place, item) in items.enumerated() {
      if place > 0 { line.append(",") }
      JSONText.append(item, to: line)
    }
    line.append("]}\n")
    return line.bytes
  }
}
