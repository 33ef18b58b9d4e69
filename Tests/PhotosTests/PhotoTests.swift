import Foundation
import ModelServer
import Testing

@testable import Photos

/// What becomes of photos before they are sent.
@Suite struct PhotoTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// The names of the colors in the corners of a picture, row by row.
  private static func corners(_ pixels: Pixels) -> [String] {
    [(8, 8), (pixels.width - 9, 8), (8, pixels.height - 9), (pixels.width - 9, pixels.height - 9)].map { x, y in
      let place = (y * pixels.width + x) * 3
      let isLit = (0..<3).map { pixels.bytes[place + $0] > 128 }
      return isLit == [true, false, false]
        ? "red" : isLit == [false, true, false] ? "green" : isLit == [false, false, true] ? "blue" : isLit[0] ? "white" : "dark"
    }
  }

  private static func decoded(_ jpeg: [UInt8]) throws -> Pixels {
    try JPEGLibrary().decode(jpeg, longSide: 100_000, isProgressive: false)
  }

  static let turned = (1...8).map { "turned-\($0).jpg" } + ["turned-6.png", "turned-6.webp", "turned-6.heic", "upright.avif"]

  @Test("Every orientation in every format comes out upright", arguments: turned)
  func upright(name: String) throws {
    let pixels = try Self.decoded(Photo(Self.fixture(name)).jpeg(longSide: 1_568))
    #expect(pixels.width == 96 && pixels.height == 64)
    #expect(Self.corners(pixels) == ["red", "green", "blue", "white"])
  }

  @Test("Nothing but the picture is left: no place, camera, comment, or profile", arguments: turned)
  func stripped(name: String) throws {
    let original = try Self.fixture(name)
    let jpeg = try Photo(original).jpeg(longSide: 1_568)
    if name.hasSuffix("jpg") { #expect(JPEGParts(original).segments.isSuperset(of: [0xE1, 0xED, 0xFE])) }
    #expect(JPEGParts(jpeg).segments.isSubset(of: [0xE0, 0xDB, 0xC0, 0xC4, 0xDA]), "\(JPEGParts(jpeg).segments)")
    for word in ["Exif", "Secret", "xmp", "Photoshop", "ICC_PROFILE"] {
      #expect(Data(jpeg).range(of: Data(word.utf8)) == nil, "\(word)")
    }
  }

  @Test(
    "A photo is made as small as it should be, and never larger",
    arguments: [(1_568, [96, 64]), (96, [96, 64]), (48, [48, 32]), (30, [30, 20]), (1, [1, 1])])
  func scaled(longSide: Int, size: [Int]) throws {
    for name in ["turned-8.jpg", "turned-6.png"] {
      let pixels = try Self.decoded(Photo(Self.fixture(name)).jpeg(longSide: longSide))
      #expect(Array([pixels.width, pixels.height]) == size, "\(name)")
    }
  }

  @Test("Scaling keeps the mean, so that a thin stroke stays gray and does not vanish")
  func strokes() throws {
    let wide = try Pixels(width: 3_000, height: 60)
    for place in wide.bytes.indices { wide.bytes[place] = place / 3 % 3_000 % 10 == 0 ? 0 : 200 }
    let small = try wide.scaled(toLongSide: 300)
    #expect(small.bytes.allSatisfy { (179...181).contains($0) })
    let uneven = try wide.scaled(toLongSide: 271)
    let mean = uneven.bytes.reduce(0.0) { $0 + Double($1) } / Double(uneven.bytes.count)
    #expect(abs(mean - 180) < 1, "\(mean)")
  }

  @Test("More than 8,000 pixels and 5 MB are handled")
  func large() throws {
    let noise = try Pixels(width: 8_200, height: 700)
    var generator = SystemRandomNumberGenerator()
    noise.bytes.withMemoryRebound(to: UInt8.self) { bytes in
      for place in stride(from: 0, to: bytes.count - 8, by: 8) {
        let bits = generator.next()
        for byte in 0..<8 { bytes[place + byte] = UInt8(truncatingIfNeeded: bits >> (8 * UInt64(byte))) }
      }
    }
    let file = try JPEGLibrary().encode(noise, quality: 100)
    #expect(file.count > 5 << 20, "\(file.count)")
    let parts = JPEGParts(try Photo(file).jpeg(longSide: 1_568))
    #expect(parts.width == 1_568 && parts.height == 134)
  }

  @Test("What is transparent is white, as paper is")
  func transparency() throws {
    let pixels = try Self.decoded(Photo(Self.fixture("transparent.png")).jpeg(longSide: 1_568))
    #expect(pixels.bytes.allSatisfy { $0 > 250 })
  }

  /// A PNG of a size without its pixels.
  private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    let header = Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
    var check: UInt32 = .max
    for byte in header {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check >> 1 ^ (check & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + header + bytes(~check) + bytes(0)
      + Array("IDAT".utf8) + bytes(0x35AF_061E)
  }

  @Test("A small file that claims a huge picture is refused before it is decoded")
  func bomb() throws {
    #expect(throws: PhotoFault.tooManyPixels(width: 60_000, height: 50_000, limit: 100_000_000)) {
      try Photo(Self.png(60_000, 50_000)).jpeg(longSide: 1_568)
    }
    // The size of a JPEG stands in its frame, of which the progressive kind takes more memory.
    var jpeg = try Self.fixture("turned-1.jpg")
    let frame = try #require(Data(jpeg).range(of: Data([0xFF, 0xC0]))).lowerBound
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(throws: PhotoFault.tooManyPixels(width: 65_500, height: 65_500, limit: 256_000_000)) {
      try Photo(jpeg).jpeg(longSide: 1_568)
    }
    jpeg[frame + 1] = 0xC2
    #expect(throws: PhotoFault.tooManyPixels(width: 65_500, height: 65_500, limit: 100_000_000)) {
      try Photo(jpeg).jpeg(longSide: 1_568)
    }
  }

  @Test("What is cut off or damaged is an error, or still a picture, but no crash", arguments: turned.dropLast())
  func damage(name: String) throws {
    let whole = try Self.fixture(name)
    for count in stride(from: 12, to: whole.count - 2, by: 7) {
      _ = try? Photo(Array(whole[..<count])).jpeg(longSide: 64)
    }
    let seed = UInt64.random(in: 0...UInt64.max)
    var state = seed
    for _ in 0..<100 {
      var bytes = whole
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if let jpeg = try? Photo(bytes).jpeg(longSide: 64) { #expect(jpeg.starts(with: [0xFF, 0xD8]), "seed \(seed)") }
    }
  }

  @Test("A photo that is cut off is refused: the end of the list would be missing", arguments: ["jpg", "png", "webp"])
  func truncated(ending: String) throws {
    let whole = try Self.fixture("turned-6.\(ending)")
    #expect(throws: PhotoFault.self) { try Photo(Array(whole.dropLast(40))).jpeg(longSide: 64) }
  }

  @Test("A JPEG without a picture is damaged, and not too large")
  func empty() {
    #expect { try Photo([0xFF, 0xD8, 0xFF, 0xE0]).jpeg(longSide: 64) } throws: { "\($0)".hasPrefix("the jpeg cannot be read") }
  }

  @Test(
    "What is no photo is named",
    arguments: [
      ("GIF89a", "the file is a GIF; save the photo as jpeg, png, webp, or heic"), ("%PDF-1.7", "the file is a PDF"),
      ("\0\0\0 ftypmp42", "the file is a video"), ("hello", "the file is not an image"), ("", "the file is empty"),
    ])
  func others(bytes: String, words: String) {
    #expect { try Photo(Array(bytes.utf8)) } throws: { "\($0)".hasPrefix(words) }
  }

  @Test("A JPEG for printing is refused in words")
  func printing() throws {
    #expect { try Photo(Self.fixture("cmyk.jpg")).jpeg(longSide: 64) } throws: { "\($0)".contains("CMYK") }
  }
}
