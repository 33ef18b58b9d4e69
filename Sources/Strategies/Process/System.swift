#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// System calls with the awkward parts taken off.
enum System {
  /// A pipe that no program inherits, above the standard streams: its read end and its write end.
  static func makePipe() -> (readEnd: Int32, writeEnd: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let moved = ends.map { end in
      defer { close(end) }
      return fcntl(end, F_DUPFD_CLOEXEC, 3)
    }
    guard moved[0] >= 0, moved[1] >= 0 else {
      for end in moved where end >= 0 { close(end) }
      return nil
    }
    return (moved[0], moved[1])
  }

  /// Makes reading and writing return at once where they would wait.
  static func stopWaiting(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

  static func closeFile(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Reads what is there into a buffer: its part that was filled, empty at the end, `nil` when nothing is there yet.
  static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : UnsafeRawBufferPointer(rebasing: buffer[..<0]) }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// Writes what there is room for: how much, 0 when there is none yet, `nil` when nobody will ever read it.
  static func writeSome(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Waits until one of the descriptors can be read, or written, or a time has passed; `nil` waits for ever. Negative descriptors are
  /// passed over. Gives those that are ready.
  static func wait(reading: [Int32], writing: Int32 = -1, atMost limit: Duration?) -> Set<Int32> {
    var polled = reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    polled.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0))
    let milliseconds = limit.map { Int32(min(max(0, ($0 / .milliseconds(1)).rounded(.up)), 1e9)) } ?? -1
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return Set(polled.filter { $0.revents != 0 }.map(\.fd))
  }

  /// How a child ended: `nil` while it runs.
  static func ending(of child: pid_t) -> ExitStatus? {
    var status: Int32 = 0
    let answer = waitpid(child, &status, WNOHANG)
    if answer == 0 || answer < 0 && errno == EINTR { return nil }
    if answer < 0 { return .unknown }
    return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(by: status & 0x7F)
  }

  enum ExitStatus {
    case exited(Int32), killed(by: Int32), unknown
  }

  /// Sends a signal to a process group.
  static func signal(group: pid_t, _ number: Int32) { if group > 1 { _ = kill(-group, number) } }

  static func cause(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Starts a program with three descriptors as its standard streams, in a process group, with signals as a shell would give them.
  ///
  /// - Parameters:
  ///   - group: The group to join; 0 for one of its own.
  ///   - variables: The variables that it gets although they may hold a key.
  /// - Returns: Its process id, or the error's number.
  static func spawn(_ command: [String], streams: [Int32], group: pid_t, passing variables: [String] = []) -> Result<
    pid_t, SpawnError
  > {
    guard let program = command.first, command.allSatisfy({ !$0.utf8.contains(0) }) else {
      return .failure(SpawnError(code: EINVAL))
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let closing: Int32 = 0
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number)) }
    var ordinary = sigset_t()
    sigfillset(&ordinary)
    for number in [SIGKILL, SIGSTOP] { sigdelset(&ordinary, number) }
    posix_spawnattr_setsigdefault(&attributes, &ordinary)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, group)
    let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | closing
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    let words = command.map { strdup($0) }
    defer { for word in words { free(word) } }
    var child: pid_t = -1
    let environment = ProgramEnvironment.entries(passing: variables)
    let code = posix_spawnp(&child, program, &actions, &attributes, words + [nil], environment)
    return code == 0 ? .success(child) : .failure(SpawnError(code: code))
  }

  struct SpawnError: Error { let code: Int32 }
}
