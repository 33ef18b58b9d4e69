public import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Adds labeled items to a corpus file, a line at a time. Each line is on the disk when `append` returns.
///
/// The file is locked for as long as the writer is open, so that two runs cannot write to it at once.
public final class CorpusWriter {
  /// The file, as named.
  public let path: String
  /// The items that the file had when it was opened, an unfinished last line left out.
  public let corpus: Corpus
  /// What is wrong in the file. Nothing may be added to a file with errors, which may be no corpus at all.
  public let findings: [Finding]

  private let descriptor: Int32
  private let isNew: Bool
  /// The bytes after the file's last line end.
  private let tail: [UInt8]
  private let isTailWhole: Bool
  /// How long the file is, as far as this writer knows.
  private var size: Int
  /// How long it was before each line that was added here, oldest first.
  private var starts: [Int] = []

  /// Opens a file, or makes an empty one; its folder must exist. Changes nothing in it.
  ///
  /// - Parameter labels: The labels that there are. They tell whether a last line without a line end is whole.
  /// - Throws: `FileError` if the file cannot be opened, is not a regular file, or another process is adding to it.
  public init(_ path: String, labels: Set<String>) throws(FileError) {
    if path.utf8.contains(0) { throw FileError(path: "(a path with a NUL byte)", reason: "cannot write; remove the NUL byte") }
    let (descriptor, isNew) = try Self.open(path)
    self.path = path
    self.descriptor = descriptor
    self.isNew = isNew
    var bytes: [UInt8]
    do { bytes = try FileReader.read(path, limit: CorpusReader.maximumBytes) } catch {
      systemClose(descriptor)
      throw error
    }
    size = bytes.count
    let start = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let tail = Array(bytes[start...])
    let isTailWhole = Self.isWhole(tail, labels)
    // A lone line without a label is more likely a list that was named by mistake than a line cut short.
    let isCut = !tail.isEmpty && !isTailWhole && (start > 0 || tail.contains(0x09))
    self.tail = tail
    self.isTailWhole = isTailWhole
    if isCut { bytes.removeSubrange(start...) }
    (corpus, findings) = CorpusReader.read([(path, bytes)])
  }

  deinit { systemClose(descriptor) }

  /// Finishes the last line if it has no line end: a whole line gets one, and a line that was cut short is removed.
  ///
  /// - Returns: The line that was removed.
  /// - Throws: `FileError`.
  public func mend() throws(FileError) -> String? {
    if tail.isEmpty || !findings.isEmpty { return nil }
    try checkUnchanged()
    if isTailWhole {
      try add([0x0A])
      return nil
    }
    try cut(to: size - tail.count)
    return String(decoding: tail, as: UTF8.self)
  }

  /// Adds an item with its labels, best first.
  ///
  /// - Throws: `FileError` if the line cannot be written, or someone else changed the file; it is then as it was.
  public func append(_ item: String, labels: [String], tags: [String]) throws(FileError) {
    try checkUnchanged()
    let start = size
    let columns = [item, labels.joined(separator: "|")] + (tags.isEmpty ? [] : [tags.joined(separator: ",")])
    try add(Array((columns.joined(separator: "\t") + "\n").utf8))
    starts.append(start)
  }

  /// Removes the last line that was added here and is still there.
  ///
  /// - Throws: `FileError` if the file cannot be cut, or someone else changed it; it is then as it was.
  public func removeLast() throws(FileError) {
    guard let start = starts.last else { return }
    try checkUnchanged()
    try cut(to: start)
    starts.removeLast()
  }

  /// Removes the file if it was made here, and neither this writer nor anyone else has added to it.
  public func removeIfEmpty() {
    guard isNew, size == 0, (try? checkUnchanged()) != nil else { return }
    unlink(path)
  }

  // MARK: Lines

  /// Whether a line without its end has all of a label. Where its last label is also the beginning of another, it may have been cut.
  private static func isWhole(_ line: [UInt8], _ labels: Set<String>) -> Bool {
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
    guard (2...3).contains(columns.count), let text = String(validating: columns[1], as: UTF8.self) else { return false }
    let named = text.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
    guard let last = named.last, named.allSatisfy(labels.contains) else { return false }
    return columns.count == 3 || !labels.contains { $0.count > last.count && $0.hasPrefix(last) }
  }

  // MARK: The file

  private static func open(_ path: String) throws(FileError) -> (descriptor: Int32, isNew: Bool) {
    var isNew = false
    var descriptor = systemOpen(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT {
      descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
      isNew = true
    }
    guard descriptor >= 0 else { throw .fromErrno(path, doing: "write") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      systemClose(descriptor)
      throw FileError(path: path, reason: "is not a regular file; name a file")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      systemClose(descriptor)
      throw FileError(path: path, reason: "another run is adding labels to it; end that one, or name another file")
    }
    if isNew { synchronizeFolder(of: path) }
    return (descriptor, isNew)
  }

  /// Makes the name of a new file last, where the system can.
  private static func synchronizeFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = systemOpen(folder, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return }
    fsync(descriptor)
    systemClose(descriptor)
  }

  private func checkUnchanged() throws(FileError) {
    var (mine, named) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, stat(path, &named) == 0, mine.st_dev == named.st_dev, mine.st_ino == named.st_ino,
      Int(mine.st_size) == size
    else { throw FileError(path: path, reason: "was changed by someone else; run the command again to go on with it") }
  }

  private func add(_ bytes: [UInt8]) throws(FileError) {
    var offset = 0
    var code: Int32 = 0
    bytes.withUnsafeBytes { buffer in
      while offset < buffer.count, code == 0 {
        let sent = pwrite(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset, off_t(size + offset))
        if sent >= 0 { offset += sent } else if errno != EINTR { code = errno }
      }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if code != 0 {
      ftruncate(descriptor, off_t(size))
      throw FileError(path: path, reason: "cannot write: \(FileError.cause(code))")
    }
    size += bytes.count
  }

  private func cut(to length: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(length)) == 0, fsync(descriptor) == 0 else { throw .fromErrno(path, doing: "write") }
    size = length
  }
}

/// `open(2)` and `close(2)`, by names that the writer's methods do not hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }

@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
