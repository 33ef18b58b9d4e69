public import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Keeps stores in the form they are used in, so that a run on one item need not read and index thousands of keywords.
///
/// A cached store is a file of blocks that is mapped into memory. It is used only when it is the user's own, nobody has written to it
/// since it was whole, and its fingerprint says that neither the store's files nor the tool changed since. Nothing depends on it:
/// whatever goes wrong with the cache, the store is read from its files.
///
/// That nobody has written to it shows in its size and its time of change: the last thing that is done to a file is to give it the
/// time that its header, which has a checksum, says. A checksum of everything would have a run on one item read megabytes of which
/// it needs a few pages.
public struct StoreCache: Sendable {
  /// The folder that the cached stores are in.
  public let folder: String

  private static let magic: UInt64 = 0x3830_5845_4C53_4941  // "AISLEX08"
  private static let headerWords = 64
  private static let maximumBlocks = 29
  /// A file changed this recently may change again without a new time stamp, so it is not cached yet.
  private static let settlingSeconds = 2
  private static let maximumAge = 30 * 24 * 60 * 60
  /// How many seconds a store takes to write at the very most.
  private static let maximumWritingTime = 60
  private static let maximumLeftoverAge = 60 * 60

  /// Keeps cached stores in a folder, which is made when the first one is written.
  public init(folder: String) { self.folder = folder }

  /// The user's cache: `$AISLE_CACHE`, else `aisle` in `$XDG_CACHE_HOME` or `~/.cache`; `nil` for `AISLE_CACHE=off` or without a home.
  public static var standard: StoreCache? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } }
    if let named = variable("AISLE_CACHE") { return named == "off" ? nil : StoreCache(folder: named) }
    if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") { return StoreCache(folder: cache + "/aisle") }
    return variable("HOME").map { StoreCache(folder: $0 + "/.cache/aisle") }
  }

  /// What a cached store is known by.
  public struct Key: Sendable {
    /// The file's name in the cache.
    let name: String
    /// Stands for the contents of all files that the store comes from, and for the tool.
    let fingerprint: UInt64
    /// Whether the files have not changed for a while.
    let isSettled: Bool
  }

  /// The key of a store in a folder; `nil` when its files cannot be looked at, or are read otherwise than they are.
  ///
  /// - Complexity: one `stat` a file.
  public static func key(store: String, in folder: TaxonomyFolder) -> Key? {
    key(store: store, in: folder, tool: "/proc/self/exe")
  }

  /// The key of a store whose files are all in one text.
  public static func key(store: String, text: UnsafeBufferPointer<UInt8>) -> Key {
    key(store: store, text: text, tool: "/proc/self/exe")
  }

  static func key(store: String, in folder: TaxonomyFolder, tool: String) -> Key? {
    guard folder.changes.isEmpty, let resolved = FileReader.resolved(folder.path) else { return nil }
    var hash = FileStamp()
    hash.add(folder.path)
    hash.add(resolved)
    var newest = 0
    for file in ["\(store).yaml", "moves.txt", "spellings.txt", "weights.txt"] {
      newest = max(newest, hash.add(file: folder.path + "/" + file))
    }
    newest = max(newest, hash.add(filesIn: folder.path + "/shelves"))
    newest = max(newest, hash.add(filesIn: folder.path + "/patterns"))
    _ = hash.add(file: tool)
    return Key(
      name: name(store, from: [resolved, folder.path], for: tool), fingerprint: hash.value,
      isSettled: newest < time(nil) - settlingSeconds)
  }

  static func key(store: String, text: UnsafeBufferPointer<UInt8>, tool: String) -> Key {
    var hash = FileStamp()
    hash.add(Int(truncatingIfNeeded: checksum(UnsafeRawBufferPointer(text))))
    _ = hash.add(file: tool)
    return Key(name: name(store, from: ["built in"], for: tool), fingerprint: hash.value, isSettled: true)
  }

  /// The file of a store from some place. Every tool has its own, so that two in turn need not index anew each time; a tool that takes
  /// another's place takes its file too.
  private static func name(_ store: String, from place: [String], for tool: String) -> String {
    var stamp = FileStamp()
    for part in place + [FileReader.resolved(tool) ?? ""] { stamp.add(part) }
    return "\(store)-\(String(stamp.value, radix: 16)).index"
  }

  /// A cached store's blocks, or `nil` when there is no good one.
  public func load(_ key: Key) -> (memory: FlatMemory, blocks: [Range<Int>])? {
    let descriptor = open("\(folder)/\(key.name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & (S_IWGRP | S_IWOTH) == 0, status.st_size >= Self.headerWords * 8
    else { return nil }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
    let memory = FlatMemory(start, count: size) { munmap(UnsafeMutableRawPointer(mutating: $0), $1) }
    let header = FlatTable<UInt64>(memory, at: 0, count: Self.headerWords)
    guard header[0] == Self.magic, header[1] == key.fingerprint, header[2] <= UInt64(Self.maximumBlocks),
      header[Self.headerWords - 1] == Self.checksum(ofHeader: header.elements),
      FileStamp.time(status) == (Int(truncatingIfNeeded: header[3]), 0)
    else { return nil }
    var blocks: [Range<Int>] = []
    var end = UInt64(Self.headerWords * 8)
    for block in 0..<Int(header[2]) {
      let (offset, count) = (header[4 + 2 * block], header[5 + 2 * block])
      guard offset % 16 == 0, offset <= UInt64(size), count <= UInt64(size) - offset else { return nil }
      blocks.append(Int(offset)..<Int(offset + count))
      end = offset + UInt64(Self.padded(Int(count)))
    }
    return end == size ? (memory, blocks) : nil
  }

  /// Keeps a store's blocks, at most 29; does nothing when that is not possible.
  public func save(_ blocks: [FlatBlock], as key: Key) {
    guard key.isSettled, blocks.count <= Self.maximumBlocks else { return }
    var header = [UInt64](repeating: 0, count: Self.headerWords)
    (header[0], header[1], header[2]) = (Self.magic, key.fingerprint, UInt64(blocks.count))
    var offset = Self.headerWords * 8
    for (place, block) in blocks.enumerated() {
      header[4 + 2 * place] = UInt64(offset)
      header[5 + 2 * place] = UInt64(block.bytes.count)
      offset += Self.padded(block.bytes.count)
    }
    // A whole, even second: every file system can keep it, and a file that is written to does not get it by chance.
    let written = time(nil) & ~1
    header[3] = UInt64(written)
    header[Self.headerWords - 1] = header.withUnsafeBufferPointer { Self.checksum(ofHeader: $0) }
    makeFolder()
    removeOld()
    let temporary = "\(folder)/.\(key.name).\(getpid())"
    guard let descriptor = create(temporary) else { return }
    let zeros = [UInt8](repeating: 0, count: 16)
    var isWritten = header.withUnsafeBytes { writeAll($0, to: descriptor) }
    for block in blocks where isWritten {
      let rest = Self.padded(block.bytes.count) - block.bytes.count
      isWritten =
        writeAll(block.bytes, to: descriptor) && zeros.withUnsafeBytes { writeAll(.init(rebasing: $0[..<rest]), to: descriptor) }
    }
    let times = [timespec(tv_sec: written, tv_nsec: 0), timespec(tv_sec: written, tv_nsec: 0)]
    // On the disk before it has its name: no crash leaves a file that looks whole and is not.
    isWritten = isWritten && futimens(descriptor, times) == 0 && fsync(descriptor) == 0
    close(descriptor)
    if !isWritten || rename(temporary, "\(folder)/\(key.name)") != 0 { unlink(temporary) }
  }

  private static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  private func makeFolder() {
    if let slash = folder.lastIndex(of: "/") { mkdir(String(folder[..<slash]), 0o700) }
    mkdir(folder, 0o700)
  }

  /// Opens a new file for writing. One that is there already was left behind by a process of the same number, unless it is new.
  private func create(_ path: String) -> Int32? {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, 0o600)
    if descriptor < 0, errno == EEXIST, remove(path, olderThan: Self.maximumWritingTime) { descriptor = open(path, flags, 0o600) }
    return descriptor < 0 ? nil : descriptor
  }

  /// Removes the stores that nobody cached anew for a month, and what processes left behind that ended while they wrote.
  private func removeOld() {
    for name in FileReader.list(folder) ?? [] {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      if parts.count == 4, parts[0].isEmpty, Self.isOwn(parts[1...2].joined(separator: ".")), Int(parts[3]) != nil {
        _ = remove("\(folder)/\(name)", olderThan: Self.maximumLeftoverAge)
      } else if Self.isOwn(name), isStore("\(folder)/\(name)") {
        _ = remove("\(folder)/\(name)", olderThan: Self.maximumAge)
      }
    }
  }

  /// Whether a file is named as a `Key` is; the folder may be one that others use too.
  private static func isOwn(_ name: String) -> Bool {
    guard name.hasSuffix(".index"), let dash = name.lastIndex(of: "-") else { return false }
    return UInt64(name.dropLast(".index".count)[name.index(after: dash)...], radix: 16) != nil
  }

  /// Whether a file begins as the stores of this version or another do.
  private func isStore(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start: UInt64 = 0
    let versionless: UInt64 = 0xFFFF_FFFF_FFFF
    return read(descriptor, &start, 8) == 8 && start & versionless == Self.magic & versionless
  }

  /// Removes a file that was last changed longer ago than so many seconds; whether it did.
  private func remove(_ path: String, olderThan age: Int) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    #if canImport(Darwin)
      let changed = status.st_mtimespec.tv_sec
    #else
      let changed = status.st_mtim.tv_sec
    #endif
    return changed < time(nil) - age && unlink(path) == 0
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let sent = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if sent < 0 && errno != EINTR { return false }
      offset += max(sent, 0)
    }
    return true
  }

  /// The checksum of a header's words but the last, where it stands.
  private static func checksum(ofHeader words: UnsafeBufferPointer<UInt64>) -> UInt64 {
    checksum(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: words[..<(headerWords - 1)])))
  }

  /// A checksum of bytes: Fletcher's two sums over four lanes of eight bytes, mixed at the end. It finds accidents, not forgeries.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    // Not zero, so that zeros count too.
    var sums = SIMD4<UInt64>(1, 2, 3, 4)
    var sumsOfSums = SIMD4<UInt64>()
    func add(_ words: SIMD4<UInt64>) {
      sums &+= words
      sumsOfSums &+= sums
    }
    var offset = 0
    while offset &+ 32 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self))
      offset &+= 32
    }
    var rest = SIMD4<UInt64>()
    withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[offset...]) }
    add(rest)
    let prime: UInt64 = 0x9E37_79B1_85EB_CA87
    var result = UInt64(bytes.count)
    for lane in 0..<4 {
      for sum in [sums[lane], sumsOfSums[lane]] {
        result = (result ^ sum) &* prime
        result ^= result &>> 29
      }
    }
    return result
  }
}
