package import AisleCore
package import Foundation

/// Something that a failing disk, or somebody who knows nothing of a file, does to its bytes.
package enum Damage: CaseIterable, Sendable {
  case bit, zeroedBlock, copiedBlock, swappedBlocks, cut, longer

  private static let blockSize = 4096

  /// A file's bytes after the damage, which is somewhere else each time; they are others than before. Where there is but one block, there
  /// is no other to take its place: then a bit changes.
  package func done(to sound: Data, _ random: inout SeededGenerator) -> Data {
    for _ in 0..<100 {
      let damaged = attempt(sound, &random)
      if damaged != sound { return damaged }
    }
    return Damage.bit.attempt(sound, &random)
  }

  private func attempt(_ sound: Data, _ random: inout SeededGenerator) -> Data {
    var bytes = sound
    func block() -> Range<Int> {
      let start = Int.random(in: 0...(bytes.count - 1) / Self.blockSize, using: &random) * Self.blockSize
      return start..<min(start + Self.blockSize, bytes.count)
    }
    switch self {
    case .bit: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .zeroedBlock:
      let range = block()
      bytes.replaceSubrange(range, with: Data(count: range.count))
    case .copiedBlock, .swappedBlocks:
      let (from, to) = (block(), block())
      let count = min(from.count, to.count)
      let (first, second) = (bytes[from.prefix(count)], bytes[to.prefix(count)])
      bytes.replaceSubrange(to.prefix(count), with: Data(first))
      if self == .swappedBlocks { bytes.replaceSubrange(from.prefix(count), with: Data(second)) }
    case .cut: bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
    case .longer: bytes += Data((0..<Int.random(in: 1...5000, using: &random)).map { UInt8(truncatingIfNeeded: $0) })
    }
    return bytes
  }

  /// Puts other bytes into a file where it stands, and gives it back the time that it had.
  package static func put(_ bytes: Data, into path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw CocoaError(.fileReadNoSuchFile) }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.truncate(atOffset: UInt64(bytes.count))
    try file.close()
    guard utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
