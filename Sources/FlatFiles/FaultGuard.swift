import AisleCore
import CFlatFile

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Lets files be mapped into memory without the danger in that: a file that is cut while it is mapped would end the process by a signal
/// when what is gone is read, and one that is written to would change what was checked.
///
/// What is gone reads as zeros instead, and `changedFile` says that a file is no longer what it was when it was opened. Since that takes
/// a signal handler, whoever runs the process decides about it, not a library: without `install` files are read into memory, which
/// takes a few milliseconds for a large one.
package enum FaultGuard {
  private struct Mapping {
    /// The address that it begins at.
    let start: UInt
    let path: String
    let file: OpenedFlatFile
    let area: Int32

    var isChanged: Bool { aisle_guard_is_broken(area) || OpenedFlatFile.State(file.descriptor) != file.state }
  }

  private struct Mappings {
    /// Few, and a run on one item would take longer to make a dictionary's type than to look through them.
    var current: [Mapping] = []
    /// A file that proved changed when it was given back, before anybody asked.
    var changed: String?

    /// A file that is no longer what it was when it was opened.
    var firstChanged: String? { changed ?? current.first { $0.isChanged }?.path }
  }

  private static let mappings = Guarded(Mappings())

  /// From now on files are mapped. It takes over SIGBUS, and hands on what it is not about.
  package static func install() { _ = aisle_guard_install() }

  /// A file that was written to or cut while it is in use, or since the last call; `nil` where what was read is what was checked.
  ///
  /// - Complexity: a system call for each file in use.
  package static func changedFile() -> String? {
    mappings.withLock { mappings in
      defer { mappings.changed = nil }
      return mappings.firstChanged
    }
  }

  /// Whether `changedFile` would name one.
  package static var hasChangedFile: Bool { mappings.withLock { $0.firstChanged != nil } }

  /// Maps a file up to its pages' checksums; `nil` where that is not possible.
  static func map(_ file: OpenedFlatFile, path: String) -> FlatMemory? {
    guard aisle_guard_is_installed() else { return nil }
    let count = file.header.sumsStart
    // Not populated: faulting pages in sixteen at a time, as the check comes to them, takes half as long.
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0), start != MAP_FAILED else { return nil }
    let area = aisle_guard_add(start, count)
    if area < 0 {
      munmap(start, count)
      return nil
    }
    let mapping = Mapping(start: UInt(bitPattern: start), path: path, file: file, area: area)
    mappings.withLock { $0.current.append(mapping) }
    return FlatMemory(UnsafeRawPointer(start), count: count) { start, count in
      mappings.withLock { mappings in
        guard let place = mappings.current.firstIndex(where: { $0.start == UInt(bitPattern: start) }) else { return }
        let mapping = mappings.current.remove(at: place)
        if mapping.isChanged { mappings.changed = mapping.path }
      }
      aisle_guard_remove(area)
      munmap(UnsafeMutableRawPointer(mutating: start), count)
    }
  }
}
