import AisleCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Asks a program one question at a time, from a thread of its own, so that no task blocks another while a program thinks.
final class Worker: Sendable {
  private struct State {
    var jobs: [Job] = []
    var wakeUp: WakeUp?
    var hasEnded = false
    var introduction: Introduction?
    var usage = StrategyUsage()
  }

  private let settings: ProcessStrategy.Settings
  private let taxonomy: Taxonomy
  private let interruption: Int32
  private let remarks: Remarks
  private let state = Mutex(State())

  init(_ settings: ProcessStrategy.Settings, taxonomy: Taxonomy, interruption: Int32, remarks: Remarks) {
    self.settings = settings
    self.taxonomy = taxonomy
    self.interruption = interruption
    self.remarks = remarks
  }

  /// What the program said of itself, once it did.
  var introduction: Introduction? { state.withLock { $0.introduction } }

  /// What was asked so far, and what the program says it cost.
  var usage: StrategyUsage { state.withLock { $0.usage } }

  /// Whether it asks nothing any more, and no thread of it runs.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Asks the program for items, after those who asked before.
  func ask(_ items: [[UInt8]]) async -> Job.Outcome {
    let job = Job(items)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        job.wait(continuation)
        submit(job)
      }
    } onCancel: {
      job.finish(.cancelled)
    }
  }

  /// Ends the program and the thread, soon; before the first item, neither will start.
  func stop() {
    let wakeUp = state.withLock { state in
      if state.wakeUp == nil { state.hasEnded = true }
      return state.wakeUp
    }
    wakeUp?.stop()
  }

  private func submit(_ job: Job) {
    let (wakeUp, isNew, isClosed) = state.withLock { state -> (WakeUp?, Bool, Bool) in
      if state.hasEnded { return (nil, false, true) }
      state.jobs.append(job)
      let isNew = state.wakeUp == nil
      if isNew { state.wakeUp = WakeUp() }
      return (state.wakeUp, isNew, false)
    }
    if isClosed { return job.finish(.failed(ProcessFailure(settings.name, .switchedOff, "is closed"))) }
    guard let wakeUp else {
      return job.finish(.failed(ProcessFailure(settings.name, .cannotStart, "cannot start: \(System.cause(errno))")))
    }
    if isNew, !startThread() {
      finish()
      return
    }
    wakeUp.ring()
  }

  private func startThread() -> Bool {
    ExitHandler.add(self)
    // Signals are for the threads that the process had before; a broken pipe is an error that a write tells.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { pointer in
        if let pointer = pointer as UnsafeMutableRawPointer? { Unmanaged<Worker>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    if code != 0 { context.release() }
    return code == 0
  }

  private func run() {
    guard let wakeUp = state.withLock({ $0.wakeUp }) else { return }
    var session = Session(settings, taxonomy: taxonomy, remarks: remarks, wakeUp: wakeUp, interruption: interruption)
    while !wakeUp.isStopping {
      guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
        session.idle()
        continue
      }
      if job.isFinished { continue }
      let outcome = session.ask(job.items)
      state.withLock { ($0.introduction, $0.usage) = (session.introduction, session.usage) }
      job.finish(outcome)
    }
    session.close()
    finish()
  }

  /// Lets those go who still wait.
  private func finish() {
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      state.hasEnded = true
      return state.jobs
    }
    for job in jobs { job.finish(.cancelled) }
    ExitHandler.remove(self)
  }
}
