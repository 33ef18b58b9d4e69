import Foundation

/// How many bytes a record may have that is categorized.
let longestRecord = 256 * 1024

/// What tab-separated output says: the items with their line ends as they came in, and the sections that occur.
struct CutOutput {
  private(set) var items = Data()
  private(set) var sections: Set<String> = []
  private(set) var count = 0

  /// Cuts the last tab-separated field off each line of `output`.
  init(_ output: Data) {
    items.reserveCapacity(output.count)
    output.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      while start < bytes.count, let found = memchr(base + start, 0x0A, bytes.count - start) {
        let newline = UnsafeRawPointer(found) - base
        let end = newline > start && bytes[newline - 1] == 0x0D ? newline - 1 : newline
        var tab = end - 1
        while tab >= start, bytes[tab] != 0x09 { tab -= 1 }
        sections.insert(tab < start ? "(no tab)" : String(decoding: bytes[tab + 1..<end], as: UTF8.self))
        items.append(contentsOf: bytes[start..<max(start, tab)])
        items.append(contentsOf: bytes[end...newline])
        count += 1
        start = newline + 1
      }
      if start < bytes.count { sections.insert("(no line end)") }
    }
  }
}

extension Data {
  /// Bytes with the line end that the last line of the output always has.
  var endingInNewline: Data { isEmpty || last == 0x0A ? self : self + [0x0A] }

  /// The first place where two texts differ, for messages; `nil` when they are the same.
  func firstDifference(from other: Data) -> String? {
    if self == other { return nil }
    let place = zip(self, other).enumerated().first { $1.0 != $1.1 }?.offset ?? Swift.min(count, other.count)
    func around(_ data: Data) -> String {
      String(reflecting: String(decoding: data.dropFirst(Swift.max(0, place - 20)).prefix(40), as: UTF8.self))
    }
    return "differs at byte \(place) of \(count) and \(other.count): \(around(self)) instead of \(around(other))"
  }
}
