import AisleCore
import FileDamage
import Foundation
import Testing

@testable import FlatFiles

/// What is believed of a file of blocks, and how it comes to be.
@Suite final class FlatFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
  private var path: String { folder + "/numbers" }
  private static let magic: UInt64 = 0x0123_4567_89AB_CDEF
  private static let blocks = [
    FlatTable(ContiguousArray<UInt64>([1, 2, 3])).block, FlatTable(ContiguousArray<UInt8>()).block,
    FlatTable(ContiguousArray<UInt8>([4, 5])).block,
  ]

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func save() { FlatFile.save(Self.blocks, notes: [7, .max], magic: Self.magic, to: path) }
  private func load() -> FlatFile? { try? FlatFile(path, magic: Self.magic) }
  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  @Test func `blocks and notes come back, each block from a multiple of 16, and nothing else is left`() throws {
    save()
    let file = try #require(load())
    #expect(file.notes == [7, .max])
    #expect(file.blocks.map(\.count) == [24, 0, 2] && file.blocks.allSatisfy { $0.lowerBound % 16 == 0 })
    #expect(Array(FlatTable<UInt64>(file.memory, at: file.blocks[0].lowerBound, count: 3)) == [1, 2, 3])
    #expect(Array(FlatTable<UInt8>(file.memory, at: file.blocks[2].lowerBound, count: 2)) == [4, 5])
    #expect(try names() == ["numbers"])
    #expect(throws: FlatFileFault.foreign) { try FlatFile(path, magic: Self.magic ^ 1 << 56) }
  }

  @Test func `a header whose blocks end behind the file is damaged`() throws {
    // A block as long as the file, padded beyond its end, and one more after that.
    let size = FlatFileHeader.size + 1
    var words = FlatFileHeader.words([], notes: [], magic: Self.magic, sums: [])
    (words[1], words[3]) = (UInt64(size), 2)
    let places: [UInt64] = [0, UInt64(size), UInt64(FlatFileHeader.padded(size)), 0]
    words.replaceSubrange(5..<9, with: places)
    let sum = words.dropLast().withUnsafeBytes { FlatFile.checksum($0) }
    words[words.count - 1] = UInt64(sum)
    #expect(throws: FlatFileFault.damaged) {
      try words.withUnsafeBytes { bytes in try FlatFileHeader(bytes, of: size, magic: Self.magic) }
    }
  }

  @Test func `as many blocks and notes as there is room for`() throws {
    let block = FlatTable(ContiguousArray<UInt8>([1])).block
    let count = FlatFile.capacity / 2
    FlatFile.save(
      Array(repeating: block, count: count), notes: Array(repeating: 9, count: FlatFile.capacity % 2), magic: 1, to: path)
    #expect(try FlatFile(path, magic: 1).blocks.count == count)
  }

  /// Blocks of many pages, none like another.
  private static let manyPages = [30_000, 0, 5, 70_001, 16].map { count in
    var random = SeededGenerator(seed: UInt64(count))
    return FlatTable(ContiguousArray((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })).block
  }

  @Test(arguments: Damage.allCases)
  func `no change of a file is overlooked, though its time says that nobody wrote to it`(damage: Damage) throws {
    FlatFile.save(Self.manyPages, notes: [7, 8], magic: Self.magic, to: path)
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SeededGenerator(seed: 40 + UInt64(Damage.allCases.firstIndex(of: damage) ?? 0))
    for round in 0..<340 {
      try Damage.put(damage.done(to: sound, &random), into: path)
      #expect(load() == nil, "round \(round)")
      #expect(throws: FlatFileFault.self, "round \(round), in pages") { try PagedFile.check(path, magic: Self.magic) }
    }
    try Damage.put(sound, into: path)
    #expect(load() != nil)
    #expect(try PagedFile.check(path, magic: Self.magic) == sound.count)
  }

  @Test func `a block that is left for later is checked when that is asked for, the others at once`() throws {
    let later = 3
    FlatFile.save(Self.manyPages, notes: [7], magic: Self.magic, to: path)
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    let blocks = try FlatFile(path, magic: Self.magic).blocks
    #expect(try FlatFile(path, magic: Self.magic, later: later).isSound(later))
    // Its first and last page are others' too.
    let page = FlatFile.pageSize
    let pages = blocks[later].lowerBound + page..<blocks[later].upperBound - page
    var random = SeededGenerator(seed: 41)
    for round in 0..<300 {
      let place = Int.random(in: FlatFileHeader.size..<sound.count, using: &random)
      var bytes = sound
      bytes[place] ^= 1 << UInt8(round % 8)
      try Damage.put(bytes, into: path)
      let file = try? FlatFile(path, magic: Self.magic, later: later)
      if pages.contains(place) {
        #expect(file?.isSound(later) == false, "round \(round), byte \(place)")
      } else {
        #expect(file?.isSound(later) != true, "round \(round), byte \(place)")
      }
      if !blocks[later].contains(place) { #expect(file == nil, "round \(round), byte \(place)") }
    }
    try Damage.put(sound, into: path)
    #expect(try FlatFile(path, magic: Self.magic, later: 99).isSound(99), "one that is not there")
  }

  @Test func `a copy is as good as the file, and its time says nothing`() throws {
    save()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: URL(fileURLWithPath: path))
    try #require(chmod(path, 0o600) == 0)
    #expect(load()?.notes == [7, .max])
  }

  @Test func `pages are read when they are needed, and stay what they were`() throws {
    let large = [FlatTable(ContiguousArray((0..<60_000).map { UInt32($0) })).block] + Self.manyPages
    FlatFile.save(large, notes: [7], magic: Self.magic, to: path)
    let file = try PagedFile(path, magic: Self.magic)
    let numbers = FlatTable<UInt32>(file.memory, at: file.blocks[0].lowerBound, count: 60_000)
    #expect(numbers[5] == 0)
    file.fill(0)
    #expect(numbers[5] == 5 && numbers[2000] == 0)
    // Somebody writes to the file, and cuts it.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data(repeating: 0x55, count: 9000))
    try handle.truncate(atOffset: 20_000)
    try handle.close()
    file.fill(0)
    #expect(numbers[5] == 5 && !file.isDamaged)
    for page in [1, 10, 100_000] { file.fill(page) }
    #expect(file.isDamaged && numbers[5] == 5 && numbers[1500] == 0 && numbers[12_000] == 0)
  }

  @Test func `a file that others may write to is not used, nor what is no file; it is never waited for`() throws {
    save()
    for mode in [0o620, 0o602] {
      try #require(chmod(path, mode_t(mode)) == 0)
      #expect(load() == nil, "\(String(mode, radix: 8))")
    }
    try #require(chmod(path, 0o600) == 0)
    #expect(load() != nil)
    let other = folder + "/other"
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
    let (pipe, socket) = (folder + "/pipe", folder + "/socket")
    try #require(mkfifo(pipe, 0o600) == 0)
    try bind(socket)
    for (path, words) in [
      (other, "is a symbolic link"), (folder, "is not a regular file"), (pipe, "is not a regular file"),
      (socket, "is not a regular file"), ("/dev/zero", "is not a regular file"),
    ] {
      #expect(throws: FlatFileFault.unusable(words), "\(path)") { try FlatFile(path, magic: Self.magic) }
      #expect(throws: FlatFileFault.unusable(words), "\(path)") { try PagedFile(path, magic: Self.magic) }
    }
    #expect(throws: FlatFileFault.missing) { try FlatFile(folder + "/nothing", magic: Self.magic) }
    #expect(throws: FlatFileFault.missing) { try FlatFile(path + "/nothing", magic: Self.magic) }
  }

  @Test func `what is no file is replaced, and where it stands in the way of writing nothing is written`() throws {
    try #require(mkfifo(path, 0o600) == 0)
    save()
    #expect(load() != nil)
    try FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(FlatFile.temporaryPath(of: path), 0o600) == 0)
    save()
    #expect(try names() == [".numbers.new"])
    try FileManager.default.removeItem(atPath: FlatFile.temporaryPath(of: path))
    try FileManager.default.createDirectory(atPath: FlatFile.temporaryPath(of: path), withIntermediateDirectories: true)
    save()
    #expect(try names() == [".numbers.new"])
  }

  @Test func `what a killed process left behind is replaced once it is a minute old`() throws {
    try leave(FlatFile.temporaryPath(of: path), seconds: 90)
    save()
    #expect(load() != nil)
    #expect(try names() == ["numbers"])
  }

  @Test func `a file that somebody else is just writing is left to them`() throws {
    try leave(FlatFile.temporaryPath(of: path), seconds: 5)
    save()
    #expect(load() == nil)
    #expect(try names() == [".numbers.new"])
  }

  @Test func `a file that cannot be written is none, and nothing is left of it`() throws {
    FlatFile.save(Self.blocks, notes: [], magic: Self.magic, to: folder + "/missing/numbers")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    save()
    #expect(try names() == ["numbers"])
  }

  @Test func `a checksum is CRC-32C, whatever pieces it is made in`() {
    func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 { Array(bytes).withUnsafeBytes { FlatFile.checksum($0) } }
    // RFC 3720, appendix B.4.
    #expect(checksum(repeatElement(0, count: 32)) == 0x8A91_36AA)
    #expect(checksum(repeatElement(0xFF, count: 32)) == 0x62A8_AB43)
    #expect(checksum(0..<32) == 0x46DD_794E)
    #expect(checksum("123456789".utf8) == 0xE306_9283)
    let bytes = (0..<100).map { UInt8($0) }
    for cut in 0...100 {
      let first = checksum(bytes[..<cut])
      #expect(bytes[cut...].withUnsafeBytes { FlatFile.checksum($0, after: first) } == checksum(bytes))
    }
  }

  @Test func `where many pages of a region are needed all of it is read, and pages that were read stay what they were`() throws {
    let numbers = FlatTable(ContiguousArray((0..<UInt32(1_400_000)).map { $0 }))
    FlatFile.save([numbers.block], notes: [], magic: Self.magic, to: path)
    let file = try PagedFile(path, magic: Self.magic)
    let read = FlatTable<UInt32>(file.memory, at: 0, count: numbers.count)
    let (perPage, region) = (FlatFile.pageSize / 4, 512)
    for page in 0..<63 { file.fill(page * 8) }
    #expect(read[perPage] == 0 && read[8 * perPage] == UInt32(8 * perPage))
    file.fill(511)
    #expect((0..<region * perPage).allSatisfy { read[$0] == UInt32($0) } && !file.isDamaged)
    #expect(read[region * perPage] == 0)
    for page in 0..<40 { file.fill(region + page) }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64((region + 100) * FlatFile.pageSize))
    try handle.close()
    for page in 0..<30 { file.fill(region + 60 + page) }
    #expect(file.isDamaged)
    #expect((0..<(region + 40) * perPage).allSatisfy { read[$0] == UInt32($0) })
    // The last region is no whole one.
    for page in 0..<400 { file.fill(2 * region + page) }
    #expect(read[numbers.count - 1] == 0)
  }

  /// Makes a socket.
  private func bind(_ path: String) throws {
    let end = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(end) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < 108)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.bind(end, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    try #require(code == 0)
  }

  /// Leaves a file that was last written so many seconds ago.
  private func leave(_ path: String, seconds: Int) throws {
    try Data("a text".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -TimeInterval(seconds))], ofItemAtPath: path)
  }
}
