#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the system grants of threads, descriptors and memory, asked for before the Swift runtime needs it: where that is refused a thread it waits for
/// one without end, and where it is refused memory or a descriptor the process dies.
enum Threads {
  /// The address space in bytes that a thread takes besides its stack: what `malloc` sets aside for it.
  private static let heap = 64 << 20
  /// The address space in bytes that work on several threads takes in all.
  private static let work = 160 << 20

  /// Whether as many tasks can run at once as are wanted; not more than there are cores.
  ///
  /// It costs about 30 µs a core.
  static func areGranted(for tasks: Int) -> Bool {
    let count = min(tasks, Environment.processorCount) + runtimeThreads
    return MemoryProbe.hasRoom(for: work + count * heap) && hasDescriptors(runtimeDescriptors + count) && start(count)
  }

  /// Refuses to go on where threads are needed and not to be had.
  ///
  /// - Parameter purpose: What needs them, as a sentence begins.
  /// - Throws: `CommandFailure` naming the limits to raise.
  static func require(_ tasks: Int, for purpose: String) throws {
    if areGranted(for: tasks) { return }
    throw CommandFailure(
      description:
        "\(purpose) needs more threads than the limits allow; raise the limits on processes (ulimit -u), memory (-v), and open files (-n)"
    )
  }

  /// The threads that the runtime has for itself: one in place of the main thread, which ends with the first wait, and one that watches
  /// descriptors and time.
  private static let runtimeThreads = 2

  /// The descriptors that the runtime opens besides one that watches each thread; without them it traps.
  private static let runtimeDescriptors = 8

  private static func hasDescriptors(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3)
      if descriptor < 0 { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Starts threads that all live until the last is there, and waits for their end.
  private static func start(_ count: Int) -> Bool {
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    defer { gate.deallocate() }
    guard pthread_mutex_init(gate, nil) == 0 else { return false }
    defer { pthread_mutex_destroy(gate) }
    pthread_mutex_lock(gate)
    #if canImport(Darwin)
      var threads = [pthread_t?](repeating: nil, count: count)
    #else
      var threads = [pthread_t](repeating: pthread_t(), count: count)
    #endif
    var started = 0
    while started < count, pthread_create(&threads[started], nil, passGate, gate) == 0 { started += 1 }
    pthread_mutex_unlock(gate)
    for thread in threads.prefix(started) {
      #if canImport(Darwin)
        if let thread { pthread_join(thread, nil) }
      #else
        pthread_join(thread, nil)
      #endif
    }
    return started == count
  }
}

#if canImport(Darwin)
  private func passGate(_ gate: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { pass(gate) }
#else
  private func passGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { gate.flatMap { pass($0) } }
#endif

private func pass(_ gate: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  let gate = gate.assumingMemoryBound(to: pthread_mutex_t.self)
  pthread_mutex_lock(gate)
  pthread_mutex_unlock(gate)
  return nil
}
