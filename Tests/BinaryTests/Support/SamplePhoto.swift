import Foundation

/// The photos of the tests: four fields, red and green over blue and white, turned in every way, with the place where they were taken.
enum SamplePhoto {
  /// A photo's bytes.
  static func named(_ name: String) throws -> Data {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: tests.appending(path: "PhotosTests/Fixtures/\(name)"))
  }

  /// One in PNG.
  static let png: Data = (try? named("turned-6.png")) ?? Data()
}
