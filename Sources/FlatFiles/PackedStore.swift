package import AisleCore

/// A store in a file, indexed: what `aisle stores pack` writes, and what opens without the files that it was made from.
///
/// It holds the blocks of the store's taxonomy and of its keywords' index. Every page has a checksum; a file of another version of aisle is
/// refused, since blocks are read as they lie.
package struct PackedStore: Sendable {
  /// What holds the blocks.
  package let memory: FlatMemory
  /// Where they lie in it.
  package let blocks: [Range<Int>]

  private static let magic: UInt64 = 0x3130_5045_4C53_4941  // "AISLEP01"

  /// What tells versions of aisle apart, whose blocks may differ.
  private static let version = FNV1a.hash(Version.number.utf8)

  /// Why a file is not used, in one line with what to do.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String

    /// A file that differs from what was written, or that something else wrote.
    package static func damaged(_ path: String) -> Fault {
      Fault(description: "\(path): damaged, or not a packed store; write it again with `aisle stores pack`")
    }
  }

  /// Opens a file, whoever's it is, and checks all of it.
  ///
  /// - Complexity: O(size); some 3 bytes a nanosecond.
  package init(_ path: String) throws(Fault) {
    do throws(FlatFileFault) {
      let file = try FlatFile(path, magic: Self.magic, isOwn: false)
      if file.notes != [Self.version] { throw .foreign }
      (memory, blocks) = (file.memory, file.blocks)
    } catch {
      switch error {
      case .missing: throw Fault(description: "\(path): no such file; write it with `aisle stores pack`")
      case .foreign:
        throw Fault(
          description:
            "\(path): written by another version of aisle than \(Version.number); write it again with `aisle stores pack`")
      case .damaged: throw .damaged(path)
      case .unusable(let what):
        throw Fault(
          description:
            "\(path): \(what); for a folder of stores, run `aisle stores pack --taxonomies FOLDER -o FILE` and give FILE")
      }
    }
  }

  /// The bytes of a file of some blocks.
  package static func bytes(of blocks: [FlatBlock]) -> [UInt8] { FlatFile.bytes(of: blocks, notes: [version], magic: magic) }
}
