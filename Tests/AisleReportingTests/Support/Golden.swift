import Foundation
import Testing

/// Expects bytes to be those of the file `Golden/NAME`; with `AISLE_RECORD=1` in the environment the file is written instead.
///
/// - Parameters:
///   - masking: What differs from run to run: each match of the regular expression is replaced by the template before the bytes
///     are compared or recorded.
func expectGolden(
  _ bytes: [UInt8], _ name: String, masking: [(regex: String, replacement: String)] = [],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard Array(text.utf8) == bytes else {
    Issue.record("\(name) is not UTF-8", sourceLocation: sourceLocation)
    return
  }
  do {
    let actual = try Golden.masked(text, masking)
    if ProcessInfo.processInfo.environment["AISLE_RECORD"] == "1" {
      try Golden.record(actual, name)
      Issue.record("recorded Golden/\(name); run again without AISLE_RECORD", sourceLocation: sourceLocation)
      return
    }
    let expected = try Golden.read(name)
    if Array(actual.utf8) != expected {
      let difference = Golden.firstDifference(String(decoding: expected, as: UTF8.self), actual)
      Issue.record("Golden/\(name) differs; AISLE_RECORD=1 records it anew\n\(difference)", sourceLocation: sourceLocation)
    }
  } catch {
    Issue.record("Golden/\(name): \(error); AISLE_RECORD=1 records it", sourceLocation: sourceLocation)
  }
}

/// The files that reports are compared with.
enum Golden {
  /// The root of the project.
  static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func file(_ name: String) -> URL { project.appending(path: "Tests/AisleReportingTests/Golden/\(name)") }

  /// The bytes of a golden file.
  static func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: file(name))) }

  static func record(_ text: String, _ name: String) throws {
    try FileManager.default.createDirectory(at: file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file(name), options: .atomic)
  }

  static func masked(_ text: String, _ masking: [(regex: String, replacement: String)]) throws -> String {
    try masking.reduce(text) { text, mask in
      let regex = try NSRegularExpression(pattern: mask.regex)
      let whole = NSRange(text.startIndex..., in: text)
      return regex.stringByReplacingMatches(in: text, range: whole, withTemplate: mask.replacement)
    }
  }

  /// The first line that differs, as it should be and as it is.
  static func firstDifference(_ expected: String, _ actual: String) -> String {
    let (before, after) = (lines(expected), lines(actual))
    let place = zip(before, after).enumerated().first { $1.0 != $1.1 }?.offset ?? min(before.count, after.count)
    func line(_ lines: [String]) -> String { place < lines.count ? lines[place] : "(no such line)" }
    return "line \(place + 1)\n  expected: \(line(before))\n  actual:   \(line(after))"
  }

  private static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self).debugDescription
    }
  }
}
