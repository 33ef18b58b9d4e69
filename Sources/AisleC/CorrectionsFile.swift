import AisleCore
import CAisle
import CorrectionMatching

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads a file of corrections whole, and looks the rows up in memory: the file is neither locked nor kept open, which a fork would not
/// survive, and nothing is written beside it.
enum CorrectionsFile {
  /// How often somebody who is writing is waited for, a hundredth of a second each time.
  private static let patience = 300
  /// The largest file that is read, in bytes.
  private static let maximumSize = 1 << 32

  /// The corrections of a file; `nil` where there are none.
  static func read(_ path: String) throws(Failure) -> LearnedCorrections? {
    var size = 0
    guard let image = try stable(path, &size) else { return nil }
    // SQLite uses it, and does not take it over.
    defer { image.deallocate() }
    try check(UnsafeRawBufferPointer(start: image.baseAddress, count: size), path)
    let reading = Reading()
    let context = Unmanaged.passUnretained(reading).toOpaque()
    let problem = CorrectionSchema.steps[0][0].withCString { statement in
      aisle_read_corrections(
        image.baseAddress, Int64(size), statement,
        { context, row in
          guard let context, let row else { return }
          Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue().take(row.pointee)
        }, context)
    }
    if let problem {
      throw Failure(AISLE_BAD_FILE, "\(path): \(String(cString: problem)); restore a backup, or use another file")
    }
    return reading.corrections
  }

  /// Rows on their way into an index.
  private final class Reading {
    private var builder = CorrectionIndexBuilder()
    private var isEmpty = true

    func take(_ row: aisle_correction) {
      func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
      guard let store = text(row.store), let key = text(row.key), let item = text(row.item), let section = text(row.section),
        let proposer = text(row.proposer)
      else { return }
      isEmpty = false
      builder.add(
        id: row.id, key: key,
        Correction(
          store: store, item: item, section: section, shelf: text(row.shelf),
          origin: Origin(proposer: proposer, model: text(row.model), time: Int(row.time))))
    }

    var corrections: LearnedCorrections? {
      isEmpty ? nil : LearnedCorrections.Layer(builder.blocks()).map { LearnedCorrections([$0]) }
    }
  }

  // MARK: The file's bytes

  /// The file as it was at one moment: each transaction counts a number in the header up, and has a journal beside the file until it ends.
  private static func stable(_ path: String, _ size: inout Int) throws(Failure) -> UnsafeMutableRawBufferPointer? {
    let journal = try resolved(path) + "-journal"
    for _ in 0..<patience {
      let isWritten = access(journal, F_OK) == 0
      if !isWritten {
        guard let image = try bytes(of: path, &size) else { return nil }
        let counter = counter(UnsafeRawBufferPointer(image), size)
        do throws(Failure) {
          if access(journal, F_OK) != 0, try header(of: path) == counter { return image }
        } catch {
          image.deallocate()
          throw error
        }
        image.deallocate()
      }
      usleep(10_000)
    }
    throw Failure(
      AISLE_BAD_FILE,
      "\(path): another process is writing it, or was killed while writing; run `aisle corrections list --db \(path)`, then try again"
    )
  }

  private static func resolved(_ path: String) throws(Failure) -> String {
    if path.isEmpty { throw Failure(AISLE_BAD_FILE, "the path of the corrections is empty; name their file, or leave it out") }
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  private static func failure(_ path: String, _ what: String) -> Failure {
    Failure(AISLE_BAD_FILE, "\(path): cannot \(what) the corrections: \(String(cString: strerror(errno)).lowercased())")
  }

  /// Opens the file; `nil` where there is none.
  private static func open(_ path: String, _ size: inout Int) throws(Failure) -> Int32? {
    let descriptor = Self.descriptor(path)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure(path, "open")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize else {
      close(descriptor)
      throw Failure(AISLE_BAD_FILE, "\(path): is not a regular file of at most 4 GiB; name the corrections file")
    }
    size = Int(status.st_size)
    return descriptor
  }

  private static func bytes(of path: String, _ size: inout Int) throws(Failure) -> UnsafeMutableRawBufferPointer? {
    guard let descriptor = try open(path, &size) else { return nil }
    defer { close(descriptor) }
    if size == 0 { return nil }
    let image = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    var count = 0
    while count < size {
      let received = pread(descriptor, image.baseAddress.map { $0 + count }, size - count, off_t(count))
      if received < 0, errno == EINTR { continue }
      if received < 0 {
        image.deallocate()
        throw failure(path, "read")
      }
      if received == 0 { break }
      count += received
    }
    size = count
    return image
  }

  private static func header(of path: String) throws(Failure) -> UInt64? {
    var size = 0
    guard let descriptor = try open(path, &size) else { return nil }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: headerSize)
    let count = pread(descriptor, &start, headerSize, 0)
    return start.withUnsafeBytes { counter($0, count < headerSize ? 0 : size) }
  }

  // MARK: What it is (https://www.sqlite.org/fileformat.html, section 1.3)

  private static let headerSize = 100

  /// The number of the last transaction, and the size.
  private static func counter(_ bytes: UnsafeRawBufferPointer, _ size: Int) -> UInt64? {
    size < headerSize ? nil : UInt64(number(bytes, 24)) << 32 | UInt64(truncatingIfNeeded: size / 512)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// Checks that the file is one of corrections, of a version that is known, and that each page is as it was written.
  private static func check(_ bytes: UnsafeRawBufferPointer, _ path: String) throws(Failure) {
    func fault(_ what: String) -> Failure { Failure(AISLE_BAD_FILE, "\(path): \(what)") }
    let isDatabase = bytes.count >= headerSize && bytes.starts(with: "SQLite format 3\0".utf8)
    guard isDatabase, bytes[18] != 2, number(bytes, 68) == UInt32(bitPattern: CorrectionSchema.applicationID) else {
      throw fault("is not a corrections file; use another file")
    }
    let version = Int32(bitPattern: number(bytes, 60))
    if version < 1 { throw fault("has no known format; use another file") }
    guard version <= CorrectionSchema.version else {
      let known = CorrectionSchema.version
      throw fault("was written by a newer aisle (format \(version); this one supports \(known)); update the library")
    }
    if version < PageChecksum.firstVersion { return }
    let size = Int(bytes[16]) << 8 | Int(bytes[17]) << 16 & 0x1_0000
    guard size >= 512, size.nonzeroBitCount == 1, bytes.count % size == 0, bytes.count / size == Int(number(bytes, 28)) else {
      throw fault("the corrections are damaged; restore a backup, or use another file")
    }
    for page in 0..<bytes.count / size {
      let content = UnsafeRawBufferPointer(rebasing: bytes[page * size..<(page + 1) * size])
      let noted = content.loadUnaligned(fromByteOffset: size - PageChecksum.length, as: UInt64.self)
      if UInt64(littleEndian: noted) != PageChecksum.checksum(content, UInt64(page) + 1) {
        throw fault("the corrections are damaged (page \(page + 1)); restore a backup, or use another file")
      }
    }
  }

  private static func descriptor(_ path: String) -> Int32 {
    #if canImport(Darwin)
      Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    #elseif canImport(Musl)
      Musl.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    #else
      Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    #endif
  }
}
