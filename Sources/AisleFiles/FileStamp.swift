#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A hash of names and of what the file system says about files.
package struct FileStamp {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// A number that changes when one of the files changes, comes or goes.
  package static func of(_ files: [String]) -> UInt64 {
    var stamp = FileStamp()
    for file in files {
      stamp.add(file)
      _ = stamp.add(file: file)
    }
    return stamp.value
  }

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x9E37_79B1_85EB_CA87
    value ^= value >> 29
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    add(text.utf8.count)
  }

  /// Adds a file's identity, size and times, and gives the time of its last change in seconds; 0 when it is not there.
  mutating func add(file path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else {
      add(-1)
      return 0
    }
    add(Int(truncatingIfNeeded: status.st_ino))
    add(Int(status.st_size))
    add(Int(truncatingIfNeeded: status.st_dev))
    #if canImport(Darwin)
      for time in [status.st_mtimespec, status.st_ctimespec] {
        add(time.tv_sec)
        add(time.tv_nsec)
      }
    #else
      add(status.st_mtim.tv_sec)
      add(status.st_mtim.tv_nsec)
      add(status.st_ctim.tv_sec)
      add(status.st_ctim.tv_nsec)
    #endif
    return Self.seconds(status)
  }

  static func seconds(_ status: stat) -> Int {
    #if canImport(Darwin)
      max(status.st_mtimespec.tv_sec, status.st_ctimespec.tv_sec)
    #else
      max(status.st_mtim.tv_sec, status.st_ctim.tv_sec)
    #endif
  }
}
