import AisleCore

/// Files of JSON objects, one a line.
enum JSONLines {
  /// Reads a file, `-` for standard input, all of it or nothing.
  ///
  /// - Parameter make: Makes a value of a line's fields.
  /// - Throws: `StreamError`; `CommandFailure` naming the file and line.
  static func read<Value>(_ path: String, _ make: (JSONFields) throws(JSONFault) -> Value) throws -> [Value] {
    let bytes = try contents(path)
    let shown = path == "-" ? "standard input" : path
    do { return try JSONFields.lines(bytes, make) } catch {
      throw CommandFailure(description: "\(shown):\(error.line): \(error.message)")
    }
  }

  /// The bytes of a file, `-` for standard input, without a byte order mark.
  ///
  /// - Throws: `StreamError`.
  static func contents(_ path: String) throws -> [UInt8] {
    let input = path == "-" ? Descriptor.standardInput : try Descriptor.open(path)
    defer { if path != "-" { input.closeFile() } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try buffer.withUnsafeMutableBytes { part in
        try part.baseAddress.map { try input.read(into: $0, count: part.count) } ?? 0
      }
      if count == 0 {
        bytes.removeFirst(ByteOrderMark.length(in: bytes))
        return bytes
      }
      bytes.append(contentsOf: buffer[..<count])
    }
  }
}

extension JSONLineWriter {
  /// Writes what was added.
  ///
  /// - Throws: `StreamError`; `Interruption`.
  func write(to output: Descriptor = .standardOutput) throws {
    try bytes.withUnsafeBytes { bytes in
      try output.write(bytes) { offset in bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count }
    }
  }
}
