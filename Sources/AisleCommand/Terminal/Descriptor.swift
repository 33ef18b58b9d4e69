import AisleFiles
import AisleReporting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A failed read or write: what was tried, and why it failed.
struct StreamError: Error, CustomStringConvertible {
  let stream: String
  let code: Int32

  /// The reader at the other end of a pipe has gone.
  var isBrokenPipe: Bool { code == EPIPE }

  var description: String { "\(stream): \(FileError.cause(code))" }
}

/// An open file, pipe or terminal, used with plain system calls so that every failure is seen.
struct Descriptor: Sendable {
  let number: Int32
  let name: String

  static let standardInput = Descriptor(number: 0, name: "standard input")
  static let standardOutput = Descriptor(number: 1, name: "standard output")
  static let standardError = Descriptor(number: 2, name: "standard error")

  /// Opens a file for reading.
  ///
  /// - Throws: `StreamError` naming the file.
  static func open(_ path: String) throws(StreamError) -> Descriptor {
    var status = stat()
    var mode = O_RDONLY | O_CLOEXEC
    #if !canImport(Darwin)
      // Opening a named pipe waits for a writer, and no signal would end the wait; so the first read waits instead. On Darwin a pipe
      // without a writer reads as ended.
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { mode |= O_NONBLOCK }
    #endif
    let number = systemOpen(path, mode)
    guard number >= 0 else { throw StreamError(stream: path, code: errno) }
    if mode & O_NONBLOCK != 0 { _ = fcntl(number, F_SETFL, 0) }
    if fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(number)
      throw StreamError(stream: path, code: EISDIR)
    }
    return Descriptor(number: number, name: path)
  }

  /// A pipe from which some bytes can be read, no more than it holds.
  static func holding(_ bytes: [UInt8]) throws(StreamError) -> Descriptor {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StreamError(stream: "--item", code: errno) }
    defer { close(ends[1]) }
    guard bytes.withUnsafeBytes({ systemWrite(ends[1], $0.baseAddress, $0.count) }) == bytes.count else {
      close(ends[0])
      throw StreamError(stream: "--item", code: errno)
    }
    return Descriptor(number: ends[0], name: "--item")
  }

  func closeFile() { close(number) }

  var isTerminal: Bool { isatty(number) == 1 }

  /// The terminal's width in columns, or `nil` when it does not tell.
  var width: Int? {
    var size = winsize()
    return ioctl(number, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Reads what is there, up to `count` bytes; 0 at the end. Waits when nothing is there yet.
  ///
  /// - Throws: `StreamError`; `Interruption` when a signal asked to stop.
  func read(into buffer: UnsafeMutableRawPointer, count: Int) throws -> Int {
    while true {
      try Interruption.check()
      if !isRegularFile { _ = try waitForInput(forever: true) }
      let received = systemRead(number, buffer, count)
      if received >= 0 { return received }
      if errno != EINTR && errno != EAGAIN { throw StreamError(stream: name, code: errno) }
    }
  }

  /// Whether what is written to another descriptor would come back by reading this one, or has: both are the same regular file.
  func isSameFile(as other: Descriptor) -> Bool {
    var (mine, theirs) = (stat(), stat())
    guard fstat(number, &mine) == 0, mine.st_mode & S_IFMT == S_IFREG, fstat(other.number, &theirs) == 0 else { return false }
    let mode = fcntl(other.number, F_GETFL)
    return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino && mode != -1 && mode & O_ACCMODE != O_RDONLY
  }

  /// Whether a regular file has nothing more to read now.
  var isAtEnd: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && lseek(number, 0, SEEK_CUR) >= status.st_size
  }

  /// Throws what writing would when whoever read what is written here has gone.
  ///
  /// - Throws: `StreamError` for a broken pipe.
  func checkReader() throws(StreamError) {
    var polled = pollfd(fd: number, events: 0, revents: 0)
    if poll(&polled, 1, 0) > 0, Int32(polled.revents) & Int32(POLLERR | POLLHUP) != 0 {
      throw StreamError(stream: name, code: EPIPE)
    }
  }

  /// Whether reading would give something at once.
  func hasInput() throws -> Bool { try isRegularFile || waitForInput(forever: false) }

  private var isRegularFile: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func waitForInput(forever: Bool) throws -> Bool {
    while true {
      var polled = [
        pollfd(fd: number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: Interruption.wakeUp, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&polled, 2, forever ? -1 : 0)
      try Interruption.check()
      if ready < 0 && errno == EINTR { continue }
      return ready != 0
    }
  }

  /// Writes all bytes; to a terminal, as `VisibleText` shows them. When a signal asks to stop before, it goes on to the end of the record
  /// it is in, and throws if that is not the end of all.
  ///
  /// - Parameter recordEnd: The first place from an offset on where output may end.
  /// - Throws: `StreamError`; `Interruption`; `FileError` where results may rest on an index that changed while it was in use.
  func write(_ bytes: UnsafeRawBufferPointer, recordEnd: (Int) -> Int = { $0 }) throws {
    if number == Self.standardOutput.number { try FileError.checkUsedFiles() }
    if Outlet.of(self).isTerminal, let shown = VisibleText.page(bytes, keepsStyle: true) {
      return try shown.withUnsafeBytes { try send(all: $0) { $0 } }
    }
    try send(all: bytes, recordEnd)
  }

  private func send(all bytes: UnsafeRawBufferPointer, _ recordEnd: (Int) -> Int) throws {
    var offset = 0
    var end = bytes.count
    var isStopping = false
    while offset < end {
      if !isStopping, Interruption.isRequested {
        isStopping = true
        end = offset == 0 ? 0 : min(recordEnd(offset), bytes.count)
      } else {
        offset += try send(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      }
    }
    if end < bytes.count { throw Interruption() }
  }

  /// Writes all bytes whatever was asked: for the end of a record that has been begun.
  func finish(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset < bytes.count {
      guard let sent = try? send(UnsafeRawBufferPointer(rebasing: bytes[offset...])) else { return }
      offset += sent
    }
  }

  /// Writes what there is room for; waits for room where there is none, or until a signal asks to stop, and may then have written
  /// nothing.
  private func send(_ bytes: UnsafeRawBufferPointer) throws(StreamError) -> Int {
    let outlet = Outlet.of(self)
    if outlet.mustWait, !hasRoom() { return 0 }
    let sent = systemWrite(outlet.number, bytes.baseAddress, min(bytes.count, outlet.most))
    if sent >= 0 { return sent }
    if errno == EAGAIN { _ = hasRoom() } else if errno != EINTR { throw StreamError(stream: name, code: errno) }
    return 0
  }

  /// Waits until something can be written, or fails to be. `false` when a signal ended the wait.
  private func hasRoom() -> Bool {
    var polled = [
      pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
      // Once a signal has come, it would end every wait.
      pollfd(fd: Interruption.isRequested ? -1 : Interruption.wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&polled, 2, -1) > 0 && polled[0].revents != 0
  }

  /// Opens the null device in place of standard streams that are closed, so that no other file takes their number. Reading or
  /// writing them then fails as it should.
  static func fillStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) == -1 {
      let opened = systemOpen("/dev/null", mode)
      if opened >= 0 && opened != number {
        dup2(opened, number)
        close(opened)
      }
    }
  }

  /// Writes a text, and forgets about failures: for messages, which must not hide what they are about.
  func tell(_ text: String) {
    var text = text
    text.withUTF8 { try? write(UnsafeRawBufferPointer($0)) }
  }
}

/// How a stream is written to without waiting in the write itself, where no signal would end the wait.
private struct Outlet {
  let number: Int32
  /// Whether to wait for room before each write.
  var mustWait = false
  /// The most bytes that a write takes without waiting.
  var most = Int.max
  let isTerminal: Bool

  private static let standardOutput = Outlet(of: 1)
  private static let standardError = Outlet(of: 2)

  static func of(_ descriptor: Descriptor) -> Outlet {
    switch descriptor.number {
    case 1: standardOutput
    case 2: standardError
    default: Outlet(of: descriptor.number)
    }
  }

  private init(of original: Int32) {
    let mode = fcntl(original, F_GETFL)
    isTerminal = isatty(original) == 1
    guard Self.mayStall(original), mode != -1, mode & O_ACCMODE != O_RDONLY else {
      number = original
      return
    }
    #if os(Linux)
      // The same pipe or terminal opened once more: not to wait is then our choice alone, and not that of others who write to it.
      let again = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let reopened = mode & O_NONBLOCK != 0 ? original : systemOpen("/proc/self/fd/\(original)", again)
      if reopened >= 0 {
        number = reopened
        return
      }
    #endif
    (number, mustWait, most) = (original, mode & O_NONBLOCK == 0, Int(PIPE_BUF))
  }

  /// Whether who reads it may be slow: of pipes, sockets and terminals, but not of files.
  private static func mayStall(_ number: Int32) -> Bool {
    var status = stat()
    guard fstat(number, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFIFO || kind == S_IFSOCK || kind == S_IFCHR && isatty(number) == 1
  }
}

private func systemOpen(_ path: String, _ mode: Int32 = O_RDONLY | O_CLOEXEC) -> Int32 { open(path, mode) }

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int { read(number, buffer, count) }

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }
