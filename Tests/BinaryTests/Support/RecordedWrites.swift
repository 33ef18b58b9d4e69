import Foundation
import Testing

/// What a process did to the files of a folder and what it said, in the order in which it happened; see `Fixtures/record-writes.c`.
enum RecordedWrites {
  enum Event {
    case create(String), makeFolder(String), remove(String), rename(String, to: String)
    case write(String, at: Int, [UInt8]), truncate(String, to: Int), synchronize(String)
    case say(String)
  }

  /// Where a C compiler is; `nil` where there is none, or the system loads no such libraries.
  static let compiler: String? = {
    #if os(Linux)
      ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].first { access($0, X_OK) == 0 }
    #else
      nil
    #endif
  }()

  /// The environment in which a process records what it does to a folder into a file.
  static func environment(recording folder: String, to log: String, in scratch: ScratchFolder) throws -> [String: String] {
    let library = "\(scratch.path)/record-writes.so"
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/record-writes.c")
    let build = Process()
    build.executableURL = URL(filePath: try #require(compiler))
    build.arguments = ["-shared", "-fPIC", "-O1", "-o", library, source.path, "-lpthread"]
    try build.run()
    build.waitUntilExit()
    try #require(build.terminationStatus == 0)
    return ["LD_PRELOAD": library, "RECORD_FOLDER": folder, "RECORD_TO": log]
  }

  /// Reads a record.
  static func read(_ log: String) throws -> [Event] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: log)))
    var (events, place): ([Event], Int) = ([], 0)
    func number() -> Int {
      defer { place += 8 }
      return bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
    }
    func part() -> [UInt8] {
      let length = number()
      defer { place += length }
      return Array(bytes[place..<place + length])
    }
    while place < bytes.count {
      let kind = bytes[place]
      place += 1
      let path = String(decoding: part(), as: UTF8.self)
      let number = number()
      let data = part()
      switch kind {
      case UInt8(ascii: "c"): events.append(.create(path))
      case UInt8(ascii: "m"): events.append(.makeFolder(path))
      case UInt8(ascii: "u"): events.append(.remove(path))
      case UInt8(ascii: "r"): events.append(.rename(path, to: String(decoding: data, as: UTF8.self)))
      case UInt8(ascii: "w"): events.append(.write(path, at: number, data))
      case UInt8(ascii: "t"): events.append(.truncate(path, to: number))
      case UInt8(ascii: "s"): events.append(.synchronize(path))
      default: events.append(.say(String(decoding: data, as: UTF8.self)))
      }
    }
    return events
  }
}

/// A disk that may lose what was not synchronized: parts of what was written to a file, and the latest changes of names, which a folder's
/// synchronization makes last, in their order.
struct ForgetfulDisk {
  private final class File {
    var lasting: [UInt8] = []
    /// What was done since the file was synchronized: bytes at a place, or a length where there are none.
    var pending: [(place: Int, bytes: [UInt8]?)] = []
  }

  private enum Change {
    case make(String), link(String, File), remove(String)

    var folder: String {
      switch self {
      case .make(let path), .link(let path, _), .remove(let path): String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      }
    }
  }

  /// How much of what was not synchronized is there after a loss of power.
  enum Loss: CaseIterable {
    /// Nothing.
    case all
    /// Everything: only the process was lost.
    case nothing
    /// By chance: of writes any sectors of 512 bytes, of changes of names the first ones.
    case some
  }

  private let root: String
  private var folders: Set<String>
  private var files: [String: File] = [:]
  private var names: [String: File] = [:]
  private var changes: [Change] = []

  init(root: String) {
    self.root = root
    folders = [root]
  }

  /// Puts a file there that lasts.
  mutating func put(_ path: String, _ bytes: Data) {
    let file = File()
    file.lasting = [UInt8](bytes)
    names[path] = file
    files[path] = file
  }

  /// Does what a process did.
  mutating func apply(_ event: RecordedWrites.Event) {
    switch event {
    case .say: break
    case .makeFolder(let path): changes.append(.make(path))
    case .create(let path):
      let file = File()
      names[path] = file
      changes.append(.link(path, file))
    case .remove(let path):
      names[path] = nil
      changes.append(.remove(path))
    case .rename(let path, let other):
      guard let file = names.removeValue(forKey: path) else { break }
      names[other] = file
      changes += [.link(other, file), .remove(path)]
    case .write(let path, let place, let bytes): names[path]?.pending.append((place, bytes))
    case .truncate(let path, let length): names[path]?.pending.append((length, nil))
    case .synchronize(let path):
      if let file = names[path] {
        for change in file.pending { Self.apply(change, to: &file.lasting) }
        file.pending = []
      } else {
        for change in changes where change.folder == path { Self.apply(change, &folders, &files) }
        changes.removeAll { $0.folder == path }
      }
    }
  }

  /// Puts what is there after a loss of power into a folder.
  func write(after loss: Loss, to target: String, _ random: inout some RandomNumberGenerator) throws {
    var (folders, files) = (folders, files)
    let kept =
      switch loss {
      case .all: 0
      case .nothing: changes.count
      case .some: Int.random(in: 0...changes.count, using: &random)
      }
    for change in changes.prefix(kept) { Self.apply(change, &folders, &files) }
    try? FileManager.default.removeItem(atPath: target)
    func isThere(_ folder: String) -> Bool {
      folder == root || folders.contains(folder) && isThere(String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]))
    }
    for folder in folders.sorted() where isThere(folder) {
      try FileManager.default.createDirectory(atPath: target + folder.dropFirst(root.count), withIntermediateDirectories: true)
    }
    for (path, file) in files where isThere(Change.remove(path).folder) {
      var bytes = file.lasting
      for change in file.pending where loss != .all {
        if loss == .nothing { Self.apply(change, to: &bytes) } else { Self.apply(some: change, to: &bytes, &random) }
      }
      try Data(bytes).write(to: URL(filePath: target + path.dropFirst(root.count)))
    }
  }

  private static func apply(_ change: Change, _ folders: inout Set<String>, _ files: inout [String: File]) {
    switch change {
    case .make(let path): folders.insert(path)
    case .link(let path, let file): files[path] = file
    case .remove(let path): files[path] = nil
    }
  }

  private static func apply(_ change: (place: Int, bytes: [UInt8]?), to contents: inout [UInt8]) {
    guard let bytes = change.bytes else {
      contents = Array(contents.prefix(change.place)) + [UInt8](repeating: 0, count: max(0, change.place - contents.count))
      return
    }
    let end = change.place + bytes.count
    if contents.count < end { contents += [UInt8](repeating: 0, count: end - contents.count) }
    contents.replaceSubrange(change.place..<end, with: bytes)
  }

  private static func apply(
    some change: (place: Int, bytes: [UInt8]?), to contents: inout [UInt8], _ random: inout some RandomNumberGenerator
  ) {
    guard let bytes = change.bytes else {
      if Bool.random(using: &random) { apply(change, to: &contents) }
      return
    }
    // Whole, not at all, or in part.
    let fate = Int.random(in: 0..<3, using: &random)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, ((change.place + start) / 512 + 1) * 512 - change.place)
      if fate == 0 || fate == 1 && Bool.random(using: &random) {
        apply((change.place + start, Array(bytes[start..<end])), to: &contents)
      }
      start = end
    }
  }
}
