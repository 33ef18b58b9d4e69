import AisleFiles

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
    let number = systemOpen(path)
    guard number >= 0 else { throw StreamError(stream: path, code: errno) }
    if fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(number)
      throw StreamError(stream: path, code: EISDIR)
    }
    return Descriptor(number: number, name: path)
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

  /// Writes all bytes. When a signal asks to stop, it goes on to the end of the record it is in, and then throws.
  ///
  /// - Parameter isRecordEnd: Whether output may end after the byte at an offset.
  /// - Throws: `StreamError`; `Interruption`.
  func write(_ bytes: UnsafeRawBufferPointer, isRecordEnd: (Int) -> Bool = { _ in true }) throws {
    var offset = 0
    while offset < bytes.count {
      if Interruption.isRequested, offset == 0 || isRecordEnd(offset - 1) { throw Interruption() }
      var end = bytes.count
      if Interruption.isRequested {
        end = offset
        while end < bytes.count, !isRecordEnd(end) { end += 1 }
        end = min(end + 1, bytes.count)
      }
      let sent = systemWrite(number, bytes.baseAddress.map { $0 + offset }, end - offset)
      if sent >= 0 {
        offset += sent
      } else if errno != EINTR && errno != EAGAIN {
        throw StreamError(stream: name, code: errno)
      }
    }
  }

  /// Writes all bytes whatever was asked: for the end of a record that has been begun.
  func finish(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset < bytes.count {
      let sent = systemWrite(number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if sent < 0 && errno != EINTR && errno != EAGAIN { return }
      offset += max(sent, 0)
    }
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

private func systemOpen(_ path: String, _ mode: Int32 = O_RDONLY | O_CLOEXEC) -> Int32 { open(path, mode) }

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int { read(number, buffer, count) }

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }
