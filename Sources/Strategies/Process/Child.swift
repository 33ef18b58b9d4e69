import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A running program, its pipes, and the guard that ends its process group.
///
/// The group is led by a small shell that waits for the end of a pipe that only this process holds. However this process ends, also by
/// SIGKILL, the guard then ends the whole group: SIGTERM, and SIGKILL two seconds later. Since the guard lives as long as the program,
/// nobody else can get the group's number meanwhile.
struct Child {
  /// How long a program may take to end once its standard input has ended.
  static let patience = Duration.seconds(2)
  /// How long it may take to end after SIGTERM.
  static let lastPatience = Duration.seconds(1)

  private static let guardScript = "trap '' TERM INT HUP QUIT; read -r line; kill -TERM 0; sleep 2; kill -KILL 0"
  /// One start at a time, so that no program inherits the pipes of another before they are marked.
  private static let starting = Mutex(())

  private let program: pid_t
  private let keeper: pid_t?
  private let group: pid_t
  private var keeperPipe: Int32
  /// Where the program reads from.
  private(set) var input: Int32
  /// What it writes to its standard output.
  private(set) var output: Int32
  /// What it writes to its standard error.
  private(set) var errors: Int32
  var replies = ReplyLines()
  private var errorLines: ErrorLines

  /// Starts a program.
  ///
  /// - Throws: `Ending` naming why it cannot be started.
  init(_ command: [String], passing variables: [String], of strategy: String, remarks: Remarks) throws(Ending) {
    let started = Self.starting.withLock { _ in Self.start(command, passing: variables) }
    guard case .success(let started) = started else {
      let code = if case .failure(let error) = started { error.code } else { EINVAL }
      let name = command.first ?? ""
      throw Ending(strategy, .cannotStart, "cannot start `\(name)`: \(StartFailure.text(name, code))")
    }
    (program, keeper, group) = (started.program, started.keeper, started.group)
    (keeperPipe, input, output, errors) = (started.keeperPipe, started.input, started.output, started.errors)
    errorLines = ErrorLines(remarks)
    for descriptor in [input, output, errors] { System.stopWaiting(descriptor) }
  }

  private struct Started {
    var program: pid_t = -1
    var keeper: pid_t?
    var group: pid_t = 0
    var keeperPipe: Int32 = -1
    var input: Int32 = -1
    var output: Int32 = -1
    var errors: Int32 = -1
  }

  private static func start(_ command: [String], passing variables: [String]) -> Result<Started, System.SpawnError> {
    var started = Started()
    var theirs: [Int32] = []
    var nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer {
      for descriptor in theirs { close(descriptor) }
      System.closeFile(&nowhere)
    }
    if var pipe = System.makePipe() {
      let keeper = System.spawn(["/bin/sh", "-c", guardScript], streams: [pipe.readEnd, nowhere, nowhere], group: 0)
      System.closeFile(&pipe.readEnd)
      started.keeperPipe = pipe.writeEnd
      if case .success(let id) = keeper { (started.keeper, started.group) = (id, id) }
    }
    func abandon() -> Result<Started, System.SpawnError> {
      let code = errno
      for var descriptor in [started.keeperPipe, started.input, started.output, started.errors] { System.closeFile(&descriptor) }
      if let keeper = started.keeper {
        System.signal(group: keeper, SIGKILL)
        waitpid(keeper, nil, 0)
      }
      return .failure(System.SpawnError(code: code))
    }
    guard let input = System.makePipe() else { return abandon() }
    theirs.append(input.readEnd)
    started.input = input.writeEnd
    guard let output = System.makePipe() else { return abandon() }
    theirs.append(output.writeEnd)
    started.output = output.readEnd
    guard let errors = System.makePipe() else { return abandon() }
    theirs.append(errors.writeEnd)
    started.errors = errors.readEnd
    switch System.spawn(command, streams: theirs, group: started.group, passing: variables) {
    case .success(let id):
      started.program = id
      if started.keeper == nil { started.group = id }
      return .success(started)
    case .failure(let error):
      errno = error.code
      return abandon()
    }
  }

  /// Passes on what came on standard error.
  mutating func takeErrors(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let bytes = System.readSome(errors, buffer) else { return }
    if bytes.isEmpty {
      errorLines.finish()
      System.closeFile(&errors)
    } else {
      errorLines.take(bytes)
    }
  }

  /// Keeps what came on standard output; `false` when that has ended.
  mutating func takeOutput(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let bytes = System.readSome(output, buffer) else { return true }
    replies.append(bytes)
    return !bytes.isEmpty
  }

  /// Ends the program and all of its group at once.
  ///
  /// - Parameter patience: How long it may still take to end by itself.
  /// - Returns: How the program had ended before that; `nil` when it was running.
  @discardableResult
  mutating func kill(
    _ buffer: UnsafeMutableRawBufferPointer, patience: Duration = .milliseconds(50)
  ) -> System.ExitStatus? {
    System.closeFile(&input)
    System.closeFile(&output)
    var status = System.ending(of: program)
    let deadline = ContinuousClock.now + patience
    while status == nil, ContinuousClock.now < deadline {
      if System.wait(reading: [errors], atMost: .milliseconds(2)).contains(errors) { takeErrors(buffer) }
      status = System.ending(of: program)
    }
    let before = status
    endGroup(buffer, &status)
    return before
  }

  /// Ends the program as it should end: its standard input ends; if it goes on, SIGTERM; if it still goes on, SIGKILL.
  mutating func end(_ buffer: UnsafeMutableRawBufferPointer) {
    System.closeFile(&input)
    var status = wait(buffer, atMost: Self.patience)
    if status == nil {
      System.signal(group: group, SIGTERM)
      status = wait(buffer, atMost: Self.lastPatience)
    }
    System.closeFile(&output)
    endGroup(buffer, &status)
  }

  /// Waits for the program to end, and hears it out.
  private mutating func wait(_ buffer: UnsafeMutableRawBufferPointer, atMost limit: Duration) -> System.ExitStatus? {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let status = System.ending(of: program) { return status }
      let ready = System.wait(reading: [output, errors], atMost: .milliseconds(2))
      if ready.contains(errors) { takeErrors(buffer) }
      if ready.contains(output), System.readSome(output, buffer)?.isEmpty == true { System.closeFile(&output) }
    }
    return nil
  }

  private mutating func endGroup(_ buffer: UnsafeMutableRawBufferPointer, _ status: inout System.ExitStatus?) {
    System.signal(group: group, SIGKILL)
    // What it wrote last; more than a pipe holds cannot come any more.
    for _ in 0..<4 where errors >= 0 && System.wait(reading: [errors], atMost: .zero).contains(errors) { takeErrors(buffer) }
    errorLines.finish()
    System.closeFile(&errors)
    System.closeFile(&keeperPipe)
    let deadline = ContinuousClock.now + .seconds(1)
    for id in [status == nil ? program : nil, keeper].compactMap({ $0 }) {
      while System.ending(of: id) == nil, ContinuousClock.now < deadline {
        _ = System.wait(reading: [], atMost: .milliseconds(1))
      }
    }
  }
}
