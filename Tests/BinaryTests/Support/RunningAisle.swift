import Foundation
import Testing

/// How a process ended.
enum Ending: Equatable {
  case exited(Int32)
  case killed(by: Int32)
}

/// What a process left behind.
struct Finished {
  let ending: Ending
  let output: Data
  let errors: Data

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  var diagnostics: String { String(decoding: errors, as: UTF8.self) }
}

/// A system call of the tests themselves failed.
struct SetupFailure: Error, CustomStringConvertible {
  let call: String
  let code = errno

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The `aisle` binary that was built with these tests, as a process of its own with real pipes, files, terminals and signals.
///
/// What it writes is read by threads, so that neither side can wait for the other forever.
final class RunningAisle {
  /// What standard input is.
  enum Source {
    case pipe
    /// A pipe that holds 1 MiB, where the system allows it.
    case widePipe
    /// A socket that is reset, not ended: reading it fails once all that was sent is read.
    case resetSocket
    /// A terminal, at which someone types what is sent.
    case terminal
    case closed
  }

  /// What standard output or standard error is.
  enum Sink {
    case pipe
    /// A pipe that nobody reads until `resumeReading`.
    case stalledPipe
    /// Such a pipe where a write that finds no room fails instead of waiting.
    case stalledNonBlockingPipe
    /// A socket that nobody reads until `resumeReading`.
    case stalledSocket
    /// A pipe whose reader has gone already.
    case brokenPipe
    case terminal
    case file(String)
    case closed
  }

  /// How long anything is waited for: far longer than it takes, since it only bounds what would never happen.
  static let patience: TimeInterval = 60

  /// One start at a time, so that no process inherits another's pipes before they are marked.
  private static let startLock = NSLock()

  let output: Collector
  let errors: Collector
  private let input: InputEnd
  private let child: Child

  /// Starts the binary in a folder.
  ///
  /// - Parameters:
  ///   - place: The folder that it works in, relative to `folder`.
  ///   - wrapper: What the binary and its arguments are handed to, such as `prlimit` with a limit; it must end by becoming them.
  ///   - isPipeSignalIgnored: Whether the process begins with SIGPIPE ignored, as under many service managers.
  init(
    _ arguments: [String], in folder: ScratchFolder, place: String = ".", environment: [String: String] = [:],
    wrapper: [String] = [], input source: Source = .pipe, output: Sink = .pipe, errors: Sink = .pipe,
    isPipeSignalIgnored: Bool = false
  ) throws {
    Self.startLock.lock()
    defer { Self.startLock.unlock() }
    let stdin = try source.open()
    let stdout = try output.open()
    let stderr = try errors.open()
    defer { for end in [stdin.theirs, stdout.theirs, stderr.theirs] where end >= 0 { close(end) } }
    self.input = InputEnd(stdin.ours)
    self.output = Collector(stdout.ours)
    self.errors = Collector(stderr.ours)
    child = try Child(
      wrapper + [Self.binary()] + arguments, folder: "\(folder.path)/\(place)",
      environment: Self.environment(adding: environment, in: folder),
      descriptors: [stdin.theirs, stdout.theirs, stderr.theirs], isPipeSignalIgnored: isPipeSignalIgnored)
    switch output {
    case .stalledPipe, .stalledNonBlockingPipe, .stalledSocket: break
    default: self.output.start()
    }
    self.errors.start()
  }

  deinit {
    child.send(SIGKILL)
    input.end()
  }

  /// Writes to standard input; `false` when nobody reads it any more.
  @discardableResult
  func send(_ bytes: Data) -> Bool { input.write(bytes) }

  /// Writes a text to standard input.
  @discardableResult
  func send(_ text: String) -> Bool { send(Data(text.utf8)) }

  /// Writes to standard input from a thread of its own, then ends it unless told otherwise.
  func feed(_ chunks: some Sequence<Data> & Sendable, thenEnds: Bool = true) {
    Thread.detachNewThread { [input] in
      for chunk in chunks where !input.write(chunk) { break }
      if thenEnds { input.end() }
    }
  }

  /// Ends standard input.
  func endInput() { input.end() }

  /// Begins to read a stalled pipe.
  func resumeReading() { output.start() }

  /// Stops reading standard output, as `head` does when it has seen enough.
  func closeOutput() { output.hangUp() }

  /// Sends a signal.
  func signal(_ number: Int32) { child.send(number) }

  /// Whether the process goes on.
  var isRunning: Bool { child.ending == nil }

  /// Waits until standard output satisfies a condition; records an issue when it never does.
  func waitForOutput(sourceLocation: SourceLocation = #_sourceLocation, _ isEnough: (Data) -> Bool) throws {
    let isThere = output.wait(isEnough)
    let tail =
      String(decoding: output.bytes.suffix(100), as: UTF8.self) + String(decoding: errors.bytes.suffix(300), as: UTF8.self)
    try #require(isThere, "the output that was waited for never came; last: \(tail)", sourceLocation: sourceLocation)
  }

  /// Waits until standard error satisfies a condition; records an issue when it never does.
  func waitForErrors(sourceLocation: SourceLocation = #_sourceLocation, _ isEnough: (Data) -> Bool) throws {
    let isThere = errors.wait(isEnough)
    try #require(isThere, "the messages that were waited for never came", sourceLocation: sourceLocation)
  }

  /// Waits until standard output has as many lines.
  func waitForLines(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var seen = 0
    var offset = 0
    try waitForOutput(sourceLocation: sourceLocation) { bytes in
      bytes.dropFirst(offset).withUnsafeBytes { part in
        var start = 0
        while let base = part.baseAddress, start < part.count, let found = memchr(base + start, 0x0A, part.count - start) {
          seen += 1
          start = UnsafeRawPointer(found) - base + 1
        }
      }
      offset = bytes.count
      return seen >= count
    }
  }

  /// Waits until all that was fed lies in the pipe, or as much as the pipe holds.
  func waitUntilInputIsSent() throws {
    var before = -1
    while input.unreadCount != before || before == 0 {
      before = input.unreadCount
      usleep(20_000)
    }
  }

  /// Waits until the process has read all that was sent.
  func waitUntilInputIsRead(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while input.unreadCount > 0 {
      try #require(isRunning && Date() < deadline, "it does not read its input", sourceLocation: sourceLocation)
      usleep(200)
    }
  }

  /// Waits for the process to end, and records an issue when it never does.
  func finish(endingInput: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) throws -> Finished {
    if endingInput { input.end() }
    let ending = child.wait(patience: Self.patience)
    if ending == nil { child.send(SIGKILL) }
    let hasEnded = output.waitForEnd() && errors.waitForEnd()
    let tail = String(decoding: errors.bytes.suffix(500), as: UTF8.self)
    let end = try #require(ending, "it did not end; standard error: \(tail)", sourceLocation: sourceLocation)
    #expect(hasEnded, "its output was not closed", sourceLocation: sourceLocation)
    return Finished(ending: end, output: output.bytes, errors: errors.bytes)
  }

  /// The most memory that the process ever held, in KiB.
  func peakMemory() throws -> Int { try status("VmHWM") }

  /// How much processor time the process has used, in ticks of 10 ms.
  func processorTime() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(child.id)/stat", encoding: .utf8)
    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
    return try #require(fields.count > 12 ? Int(fields[11]).flatMap { user in Int(fields[12]).map { user + $0 } } : nil)
  }

  private func status(_ field: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(child.id)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(field):") })
    return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
  }

  /// The binary: the one that `AISLE_TESTED` names, or else the one in the build folder beside the test bundle.
  static func binary() throws -> String {
    if let tested = ProcessInfo.processInfo.environment["AISLE_TESTED"] { return tested }
    let bundles = [Bundle.main] + Bundle.allBundles
    let executables = bundles.compactMap(\.executableURL) + [URL(fileURLWithPath: CommandLine.arguments.first ?? "")]
    let folders = (executables + bundles.map(\.bundleURL)).map { $0.deletingLastPathComponent() }
    let found = folders.map { $0.appendingPathComponent("aisle").path }.first { access($0, X_OK) == 0 }
    return try #require(found, "no `aisle` beside the tests; looked in \(folders.map(\.path))")
  }

  private static func environment(adding extra: [String: String], in folder: ScratchFolder) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "COLUMNS", "LINES", "AISLE_TAXONOMIES", "AISLE_STORE", "AISLE_CHAIN", "AISLE_CONFIG", "AISLE_DB"] {
      environment[name] = nil
    }
    // No test may ask a model that it did not start.
    for name in environment.keys where name.hasPrefix("AISLE_LLM") || name.hasSuffix("_API_KEY") || name.hasSuffix("_proxy") {
      environment[name] = nil
    }
    environment["TERM"] = "xterm-256color"
    environment["AISLE_TAXONOMIES"] = "taxonomies"
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["XDG_DATA_HOME"] = folder.path + "/data"
    environment["USER"] = "jane"
    return environment.merging(extra) { $1 }.filter { $0.key != "AISLE_TAXONOMIES" || !$0.value.isEmpty }
  }
}

/// Runs the binary on an input to its end.
func aisle(
  _ arguments: String..., input: Data = Data(), in folder: ScratchFolder, environment: [String: String] = [:],
  output: RunningAisle.Sink = .pipe, errors: RunningAisle.Sink = .pipe, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Finished {
  let process = try RunningAisle(arguments, in: folder, environment: environment, output: output, errors: errors)
  process.feed([input])
  return try process.finish(endingInput: false, sourceLocation: sourceLocation)
}

/// Runs the binary on a text to its end.
func aisle(
  _ arguments: String..., input: String, in folder: ScratchFolder, environment: [String: String] = [:],
  output: RunningAisle.Sink = .pipe, errors: RunningAisle.Sink = .pipe, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Finished {
  let process = try RunningAisle(arguments, in: folder, environment: environment, output: output, errors: errors)
  process.feed([Data(input.utf8)])
  return try process.finish(endingInput: false, sourceLocation: sourceLocation)
}

/// Has the user trust the folder's configuration as it is.
func trustConfiguration(in folder: ScratchFolder, _ path: String = "aisle.yaml") throws {
  let finished = try aisle("config", "trust", "--config", path, input: "", in: folder)
  #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
}

// MARK: - Descriptors

extension RunningAisle.Source {
  fileprivate func open() throws -> (ours: Int32, theirs: Int32) {
    switch self {
    case .pipe:
      let (readEnd, writeEnd) = try makePipe()
      return (writeEnd, readEnd)
    case .widePipe:
      let (readEnd, writeEnd) = try makePipe()
      #if os(Linux)
        let setPipeSize: Int32 = 1031
        _ = fcntl(writeEnd, setPipeSize, 1 << 20)
      #endif
      return (writeEnd, readEnd)
    case .resetSocket:
      let (ours, theirs) = try makeSocketPair()
      // What was sent to us and never read makes closing our end a reset.
      if send(theirs, [1], 1, 0) != 1 { throw SetupFailure(call: "send") }
      return (ours, theirs)
    case .terminal: return try makeTerminal()
    case .closed: return (-1, -1)
    }
  }
}

extension RunningAisle.Sink {
  fileprivate func open() throws -> (ours: Int32, theirs: Int32) {
    switch self {
    case .pipe, .stalledPipe: return try makePipe()
    case .stalledNonBlockingPipe:
      let (readEnd, writeEnd) = try makePipe()
      if fcntl(writeEnd, F_SETFL, O_NONBLOCK) != 0 { throw SetupFailure(call: "fcntl") }
      return (readEnd, writeEnd)
    case .stalledSocket: return try makeSocketPair()
    case .brokenPipe:
      let (readEnd, writeEnd) = try makePipe()
      close(readEnd)
      return (-1, writeEnd)
    case .closed: return (-1, -1)
    case .file(let path):
      let file = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      if file < 0 { throw SetupFailure(call: "open \(path)") }
      return (-1, file)
    case .terminal: return try makeTerminal()
    }
  }
}

/// A pipe: read end, write end.
private func makePipe() throws -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  if pipe(&ends) != 0 { throw SetupFailure(call: "pipe") }
  return (closedInOthers(ends[0]), closedInOthers(ends[1]))
}

/// Two ends of a socket.
private func makeSocketPair() throws -> (Int32, Int32) {
  #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
  #else
    let kind = SOCK_STREAM
  #endif
  var ends: [Int32] = [-1, -1]
  if socketpair(AF_UNIX, kind, 0, &ends) != 0 { throw SetupFailure(call: "socketpair") }
  return (closedInOthers(ends[0]), closedInOthers(ends[1]))
}

/// A pseudo-terminal of 80 columns that leaves line ends as they are: the end to read, the terminal itself.
private func makeTerminal() throws -> (Int32, Int32) {
  var (ours, theirs): (Int32, Int32) = (-1, -1)
  var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
  var mode = termios()
  // No process may start before the descriptors are kept from it: it would hold the terminal open.
  starting.lock()
  let code = openpty(&ours, &theirs, nil, nil, &size)
  if code == 0 { (ours, theirs) = (closedInOthers(ours), closedInOthers(theirs)) }
  starting.unlock()
  guard code == 0 else { throw SetupFailure(call: "openpty") }
  guard tcgetattr(theirs, &mode) == 0 else { throw SetupFailure(call: "tcgetattr") }
  mode.c_oflag &= ~tcflag_t(OPOST)
  guard tcsetattr(theirs, TCSANOW, &mode) == 0 else { throw SetupFailure(call: "tcsetattr") }
  return (ours, theirs)
}

/// Held while a process starts, and while there are descriptors that it must not inherit.
private let starting = NSLock()

/// Keeps a descriptor from other processes, which would hold a pipe open that should end.
private func closedInOthers(_ descriptor: Int32) -> Int32 {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}

/// Our end of the process's standard input.
private final class InputEnd: @unchecked Sendable {
  private let lock = NSLock()
  private var descriptor: Int32
  private var isWriting = false
  private var isToEnd = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all bytes; `false` when nobody reads them.
  func write(_ bytes: Data) -> Bool {
    let descriptor = lock.withLock {
      isWriting = self.descriptor >= 0
      return self.descriptor
    }
    if descriptor < 0 { return false }
    let isDone = bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let sent = Foundation.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
        if sent < 0 && errno != EINTR { return false }
        offset += max(0, sent)
      }
      return true
    }
    lock.withLock {
      isWriting = false
      if isToEnd { closeDescriptor() }
    }
    return isDone
  }

  /// How many bytes the process has not read yet.
  var unreadCount: Int {
    lock.withLock {
      var count: Int32 = 0
      return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
  }

  /// Closes it; after the write, when another thread is writing.
  func end() {
    lock.withLock {
      isToEnd = true
      if !isWriting { closeDescriptor() }
    }
  }

  private func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}

/// Reads what a process writes, in a thread of its own.
final class Collector: @unchecked Sendable {
  private let condition = NSCondition()
  private let descriptor: Int32
  private var collected = Data()
  private var isAtEnd: Bool
  private var hasHungUp = false

  fileprivate init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isAtEnd = descriptor < 0
  }

  /// What was read so far.
  var bytes: Data { condition.withLock { collected } }

  /// How many bytes lie in the pipe and were not read yet.
  var waitingCount: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  fileprivate func start() {
    if descriptor < 0 { return }
    Thread.detachNewThread { [self] in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
      defer { buffer.deallocate() }
      while true {
        let received = read(descriptor, buffer.baseAddress, buffer.count)
        if received < 0 && errno == EINTR { continue }
        condition.lock()
        if received > 0 { collected.append(contentsOf: buffer[..<received]) }
        let isOver = received <= 0 || hasHungUp
        if isOver {
          close(descriptor)
          isAtEnd = true
        }
        condition.broadcast()
        condition.unlock()
        if isOver { return }
      }
    }
  }

  /// Closes the pipe as soon as something more was read from it.
  fileprivate func hangUp() { condition.withLock { hasHungUp = true } }

  fileprivate func wait(_ isEnough: (Data) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: RunningAisle.patience)
    return condition.withLock {
      while !isEnough(collected) {
        if isAtEnd || !condition.wait(until: deadline) { return isEnough(collected) }
      }
      return true
    }
  }

  fileprivate func waitForEnd() -> Bool {
    let deadline = Date(timeIntervalSinceNow: RunningAisle.patience)
    return condition.withLock {
      while !isAtEnd { if !condition.wait(until: deadline) { return isAtEnd } }
      return true
    }
  }
}

/// A child process, and how it ended.
private final class Child: @unchecked Sendable {
  let id: pid_t
  private let condition = NSCondition()
  private var end: Ending?

  var ending: Ending? { condition.withLock { end } }

  init(
    _ command: [String], folder: String, environment: [String: String], descriptors: [Int32], isPipeSignalIgnored: Bool
  ) throws {
    _ = Self.ignoresPipeSignal
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in descriptors.enumerated() {
      if descriptor >= 0 {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      } else {
        posix_spawn_file_actions_addclose(&actions, Int32(number))
      }
    }
    var defaults = sigset_t()
    var mask = sigset_t()
    sigemptyset(&defaults)
    sigemptyset(&mask)
    for number in [SIGINT, SIGTERM, SIGXFSZ] + (isPipeSignalIgnored ? [] : [SIGPIPE]) { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let shell = "/bin/sh"
    var words = ([shell, "-c", "cd \"$0\" && exec \"$@\"", folder] + command).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var id = pid_t()
    let code = starting.withLock { posix_spawn(&id, shell, &actions, &attributes, &words, &variables) }
    if code != 0 {
      errno = code
      throw SetupFailure(call: "posix_spawn")
    }
    self.id = id
    Thread.detachNewThread { [self] in reap() }
  }

  /// Writing to a process that has gone must be an error, not the end of the tests.
  private static let ignoresPipeSignal: Bool = {
    Foundation.signal(SIGPIPE, SIG_IGN)
    return true
  }()

  /// Waits for the end; the process id stays taken until the end is known, so that no signal can go astray.
  private func reap() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    condition.withLock {
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0 && errno == EINTR {}
      end = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: status & 0x7F)
      condition.broadcast()
    }
  }

  func send(_ signal: Int32) { condition.withLock { if end == nil { kill(id, signal) } } }

  func wait(patience: TimeInterval) -> Ending? {
    let deadline = Date(timeIntervalSinceNow: patience)
    return condition.withLock {
      while end == nil { if !condition.wait(until: deadline) { return end } }
      return end
    }
  }
}
