import AisleCore

/// The beginning of a file of blocks: what it is, and where in it what lies.
///
/// Its words are a magic number, the file's size, the number of notes, the number of blocks, the checksum of the pages' checksums, the
/// notes, where each block begins and how long it is, zeros, and last a checksum of all of them.
struct FlatFileHeader {
  static let wordCount = 128
  static let size = 8 * wordCount
  private static let fixedWords = 5
  /// The most blocks and notes that there is room for, a block counting twice.
  static let capacity = wordCount - fixedWords - 1

  let notes: [UInt64]
  /// Where the blocks lie behind the header.
  let blocks: [Range<Int>]
  /// How many bytes the blocks take, those between them included.
  let contentSize: Int
  /// The checksum of the pages' checksums.
  let sum: UInt32

  /// How many pages the blocks take.
  var pageCount: Int { FlatFile.pageCount(contentSize) }
  /// Where in the file the pages' checksums begin.
  var sumsStart: Int { Self.size + contentSize }

  /// The bytes of a magic number that say what a file is; the others say in which version.
  private static let kind: UInt64 = 0xFFFF_FFFF_FFFF

  /// Reads the first bytes of a file of so many.
  init(_ bytes: UnsafeRawBufferPointer, of size: Int, magic: UInt64) throws(FlatFileFault) {
    guard bytes.count >= Self.size else { throw .damaged }
    func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self) }
    guard word(0) == magic else { throw word(0) & Self.kind == magic & Self.kind ? .foreign : .damaged }
    guard word(Self.wordCount - 1) == Self.checksum(bytes), word(1) == UInt64(size), word(2) <= UInt64(Self.capacity),
      word(3) <= UInt64(Self.capacity), word(2) + 2 * word(3) <= UInt64(Self.capacity)
    else { throw .damaged }
    let first = Self.fixedWords + Int(word(2))
    notes = (Self.fixedWords..<first).map(word)
    sum = UInt32(truncatingIfNeeded: word(4))
    var (blocks, end): ([Range<Int>], Int) = ([], 0)
    for block in 0..<Int(word(3)) {
      let (offset, count) = (word(first + 2 * block), word(first + 2 * block + 1))
      guard offset == UInt64(end), end <= size, count <= UInt64(size - end) else { throw .damaged }
      blocks.append(end..<end + Int(count))
      end += Self.padded(Int(count))
    }
    (self.blocks, contentSize) = (blocks, end)
    guard size == Self.size + end + 4 * FlatFile.pageCount(end) else { throw .damaged }
  }

  /// The words of a header.
  static func words(_ blocks: [FlatBlock], notes: [UInt64], magic: UInt64, sums: [UInt32]) -> [UInt64] {
    precondition(notes.count + 2 * blocks.count <= capacity)
    var places: [UInt64] = []
    var end = 0
    for block in blocks {
      places += [UInt64(end), UInt64(block.count)]
      end += padded(block.count)
    }
    let sum = sums.withUnsafeBytes { FlatFile.checksum($0) }
    var words =
      [magic, UInt64(size + end + 4 * sums.count), UInt64(notes.count), UInt64(blocks.count), UInt64(sum)] + notes + places
    words += repeatElement(0, count: wordCount - words.count)
    words[wordCount - 1] = words.withUnsafeBytes { checksum($0) }
    return words
  }

  /// How many bytes a block takes, so that the next one begins at a multiple of 16.
  static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(FlatFile.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<(size - 8)])))
  }
}
