import AisleCore
import AisleFiles
import Foundation
import Testing

@Suite("A window moves along a file")
struct FileWindowTests {
  private static func write(_ bytes: [UInt8]) throws -> String {
    let path = NSTemporaryDirectory() + "/window-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("All of the file is seen, in order, with enough ahead", arguments: [0, 1, 1 << 20, 1 << 20 + 1, 3_456_789])
  func wholeFile(size: Int) throws {
    var random = SeededGenerator(seed: UInt64(size))
    let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = try Self.write(bytes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let window = try FileWindow(path, limit: 1 << 30)
    #expect(window.fileSize == size)
    var (place, seen) = (0, [UInt8]())
    while seen.count < size {
      if window.advance(to: place) { place = 0 }
      #expect(window.bytes.count - place >= min(FileWindow.sight, size - seen.count))
      let step = min(Int.random(in: 1...FileWindow.sight, using: &random), size - seen.count)
      seen += window.bytes[place..<(place + step)]
      place += step
    }
    #expect(seen == bytes)
  }

  @Test("What is no file, or too large, is refused by name")
  func refused() throws {
    let path = try Self.write([1, 2, 3])
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: FileError.self) { try FileWindow(path, limit: 2) }
    #expect(throws: FileError(path: "/nowhere", reason: "cannot open: no such file or directory; check the name")) {
      try FileWindow("/nowhere", limit: 2)
    }
    #expect(throws: FileError(path: "/tmp", reason: "is not a regular file; name a file")) { try FileWindow("/tmp", limit: 2) }
  }
}
