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

  /// Adds the files of a folder, in whatever order they are found, and gives the time of the last change among them in seconds.
  mutating func add(filesIn path: String) -> Int {
    guard let folder = opendir(path) else {
      add(-1)
      return 0
    }
    defer { closedir(folder) }
    var (sum, newest): (UInt64, Int) = (0, 0)
    while let entry = readdir(folder) {
      var file = FileStamp()
      let changed = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { file.add($0, in: dirfd(folder)) }
      }
      newest = max(newest, changed)
      sum &+= file.value
    }
    add(Int(truncatingIfNeeded: sum))
    return newest
  }

  /// Adds the name and the stamp of a folder's file; nothing of the folder itself and the one above.
  private mutating func add(_ name: UnsafePointer<CChar>, in folder: CInt) -> Int {
    if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return 0 }
    var length = 0
    while name[length] != 0 {
      value = (value ^ UInt64(UInt8(bitPattern: name[length]))) &* 0x100_0000_01B3
      length += 1
    }
    add(length)
    var status = stat()
    guard fstatat(folder, name, &status, 0) == 0 else {
      add(-1)
      return 0
    }
    return add(status)
  }

  /// Adds a file's identity, size and times, and gives the time of its last change in seconds; 0 when it is not there.
  mutating func add(file path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else {
      add(-1)
      return 0
    }
    return add(status)
  }

  private mutating func add(_ status: stat) -> Int {
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
