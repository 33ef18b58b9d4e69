import Foundation
import Testing

@testable import AisleReporting

@Suite("The page in a browser")
struct HTMLBrowserTests {
  private static let script = Golden.project.appending(path: "tools/check-html").path

  /// Whether a program is on the PATH.
  private static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  private static let hasBrowser = has("python3") && ["chromium", "chromium-browser", "google-chrome"].contains(where: has)

  /// What `tools/check-html` says of a page, and its exit code.
  private static func check(_ page: String) throws -> (code: Int32, errors: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "aisle-html-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, errors) = (folder.appending(path: "report.html"), folder.appending(path: "errors"))
    try Data(page.utf8).write(to: file)
    try Data().write(to: errors)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script, file.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }

  @Test("It renders, filters, reads well and works without JavaScript", .enabled(if: hasBrowser, "needs Chromium and Python"))
  func sound() async throws {
    for isPlain in [false, true] {
      let (code, errors) = try Self.check(HTMLReporterTests.page(try await SampleReport.make(isPlain: isPlain)))
      #expect(code == 0, "\(errors)")
    }
  }

  @Test("A report whose every text is hostile is as sound", .enabled(if: hasBrowser, "needs Chromium and Python"))
  func hostile() async throws {
    let items = [
      "<script>alert('milk')</script>", "milk</bdi></th></table><img src=x onerror=alert(1)>",
      "\" onfocus=alert(1) autofocus milk", "milk \u{202E}\u{1B}[31m", "milk ${alert(1)}",
      "milk" + String(repeating: "x", count: 5000), "</title></style>milk<!--",
    ]
    let page = HTMLReporterTests.page(try await HostileReport.make(items, hasBaseline: true))
    let (code, errors) = try Self.check(page)
    #expect(code == 0, "\(errors)")
  }

  @Test("The check finds what is broken", .enabled(if: hasBrowser, "needs Chromium and Python"))
  func broken() async throws {
    let faults = [
      ("<tr data-pair=\"", "<tr data-pair=\"9", "each cell counts its errors"),
      ("<caption id=\"tag-table-caption\">", "<caption hidden id=\"tag-table-caption\">", "a table has no name"),
      ("<body>", "<body><img src=\"nothing.png\">", "may load something"),
      ("<footer>", "<footer><h5>x</h5>", "a heading skips to h5"),
      ("<td>apple (Produce)</td>", "", "rows of table error-table differ in cells"),
      (".big { ", ".big { width: 9000px; ", "the browser complains; Applying inline style violates"),
    ]
    let sound = HTMLReporterTests.page(try await SampleReport.make())
    let page = faults.reduce(sound) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    for (part, _, _) in faults { try #require(sound.contains(part), "\(part)") }
    let (code, errors) = try Self.check(page)
    #expect(code == 1)
    for (_, _, claim) in faults { #expect(errors.contains(claim), "\(claim) in \(errors)") }
  }
}
