/// Writes numbers and texts one after the other.
struct ImageWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: Int) {
    withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write(_ section: Section) {
    write(section.name)
    write(SectionColor.allCases.firstIndex(of: section.color) ?? 0)
  }

  mutating func write(_ location: SourceLocation) {
    write(location.path)
    write(location.line)
    write(location.column)
  }

  mutating func write<Element>(_ list: [Element], _ body: (inout ImageWriter, Element) -> Void) {
    write(list.count)
    for element in list { body(&self, element) }
  }
}

/// Reads what `ImageWriter` wrote; everything is `nil` past the end.
struct ImageReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func number() -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    defer { offset += 4 }
    return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// A place in a table of so many rows.
  mutating func place(below count: Int) -> UInt16? { number().flatMap { $0 < count ? UInt16(exactly: $0) : nil } }

  mutating func text() -> String? {
    guard let count = number(), offset + count <= bytes.count else { return nil }
    defer { offset += count }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  mutating func section() -> Section? {
    guard let name = text(), let color = place(below: SectionColor.allCases.count) else { return nil }
    return Section(name: name, color: SectionColor.allCases[Int(color)])
  }

  mutating func location() -> SourceLocation? {
    guard let path = text(), let line = number(), let column = number() else { return nil }
    return SourceLocation(path: path, line: line, column: column)
  }

  mutating func list<Element>(_ body: (inout ImageReader) -> Element?) -> [Element]? {
    guard let count = number() else { return nil }
    var list: [Element] = []
    for _ in 0..<count {
      guard let element = body(&self) else { return nil }
      list.append(element)
    }
    return list
  }
}
