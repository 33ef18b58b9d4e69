import AisleCore

/// The conversation with a program, over as many starts as it takes. Only the worker's thread uses it.
struct Session {
  private let settings: ProcessStrategy.Settings
  private let taxonomy: Taxonomy
  private let remarks: Remarks
  private let wakeUp: WakeUp
  private let interruption: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  private var child: Child?
  private var restarts = RestartPolicy()
  private var lastID = 0
  private var isInterrupted = false
  /// What went wrong while nobody asked anything, for a strict strategy's next call.
  private var lateFailure: ProcessFailure?
  /// What the program said of itself.
  private(set) var introduction: Introduction?
  /// The requests that were answered, and what the program says they cost.
  private(set) var usage = StrategyUsage()

  init(
    _ settings: ProcessStrategy.Settings, taxonomy: Taxonomy, remarks: Remarks, wakeUp: WakeUp, interruption: Int32
  ) {
    self.settings = settings
    self.taxonomy = taxonomy
    self.remarks = remarks
    self.wakeUp = wakeUp
    self.interruption = interruption
  }

  /// Asks the program for items; for none it is only started.
  mutating func ask(_ items: [[UInt8]]) -> Job.Outcome {
    do throws(Ending) {
      if let failure = lateFailure {
        lateFailure = nil
        throw .failure(failure)
      }
      let deadline = ContinuousClock.now + settings.timeout
      try start(before: deadline)
      if items.isEmpty { return .answers([]) }
      lastID += 1
      let what = items.count == 1 ? "an item" : "\(items.count) items"
      let message = try exchange(Request.line(lastID, items), "did not answer \(what)", before: deadline)
      usage.requests += 1
      usage.tokens += message.tokens
      if let dollars = message.dollars { usage.dollars = (usage.dollars ?? 0) + dollars }
      if message.type == "error", message.id == lastID {
        return .answers(items.map { _ in .error(message.text ?? "no reason given") })
      }
      guard message.type == "decided" else { throw message.unexpected(where: "decided") }
      guard message.id == lastID else {
        throw message.fault(
          "answered request \(message.id.map(String.init) ?? "without \"id\""), but was asked request \(lastID)")
      }
      guard let answers = message.answers, answers.count == items.count else {
        throw message.fault("gave \(message.answers?.count ?? 0) answers for \(what)")
      }
      return .answers(answers)
    } catch {
      switch error {
      case .interrupted: return .cancelled
      case .failure(let failure):
        note(failure)
        return .failed(failure)
      }
    }
  }

  /// Waits for something to do, and keeps an eye on the program meanwhile.
  mutating func idle() {
    let ready = wait(atMost: nil)
    if ready.contains(interruption) { return interrupt() }
    guard let running = child else { return }
    if ready.contains(running.errors) { child?.takeErrors(buffer) }
    guard ready.contains(running.output) else { return }
    let goesOn = child?.takeOutput(buffer) ?? true
    if goesOn, child?.replies.isEmpty != false { return }
    let failure: Ending = goesOn ? unasked : ended("ended between requests")
    guard case .failure(let failure) = failure else { return }
    note(failure)
    if settings.isStrict { lateFailure = failure }
  }

  /// Ends the program and frees what the session holds.
  mutating func close() {
    if isInterrupted { child?.kill(buffer) } else { child?.end(buffer) }
    child = nil
    buffer.deallocate()
  }

  // MARK: Starting

  private mutating func start(before deadline: ContinuousClock.Instant) throws(Ending) {
    if isInterrupted { throw .interrupted }
    if child?.replies.isEmpty == false { throw unasked }
    if child != nil { return }
    if restarts.isOpen { throw Ending(settings.name, .switchedOff, "is switched off") }
    try pause(before: deadline)
    child = try Child(settings.command, passing: settings.environment, of: settings.name, remarks: remarks)
    let message = try exchange(Introduction.greeting(taxonomy), "did not say hello", before: deadline)
    let introduction = try Introduction(message)
    if introduction.wantsShelves {
      let message = try exchange(Introduction.shelves(taxonomy), "was not ready", before: deadline)
      if message.type == "error" { throw message.refusal }
      guard message.type == "ready" else { throw message.unexpected(where: "ready") }
    }
    self.introduction = introduction
  }

  /// Waits until the program may be started again; not so long that it would have no time left to answer.
  private mutating func pause(before deadline: ContinuousClock.Instant) throws(Ending) {
    guard let pauseEnd = restarts.earliestStart else { return }
    let earliest = min(pauseEnd, ContinuousClock.now + (deadline - ContinuousClock.now) / 2)
    while ContinuousClock.now < earliest {
      if wait(atMost: earliest - ContinuousClock.now).contains(interruption) { interrupt() }
      if isInterrupted || wakeUp.isStopping { throw .interrupted }
    }
  }

  /// Takes note of a failure: the program is ended, and started again by the next request, if at all.
  private mutating func note(_ failure: ProcessFailure) {
    child?.kill(buffer)
    child = nil
    if failure.reason == .switchedOff { return }
    restarts.fail(at: .now, isLasting: failure.isLasting || settings.isStrict && failure.reason == .timedOut)
    // Whoever requires the program gets the failure itself.
    if settings.isRequired { return }
    remarks.report(failure.message)
    if restarts.isOpen {
      let why = failure.isLasting ? "" : "failed \(RestartPolicy.mostFailures) times within 3 minutes and "
      remarks.announce("\(why)is switched off; its items go to the next strategy")
    }
  }

  // MARK: Talking

  /// Sends a line and gives the program's next.
  private mutating func exchange(_ line: [UInt8], _ late: String, before deadline: ContinuousClock.Instant) throws(Ending)
    -> Message
  {
    var sent = 0
    trace(">", line.dropLast())
    while true {
      if let reply = child?.replies.next() {
        trace("<", reply[...])
        let message = try Message(reply, of: settings.name)
        if sent < line.count { throw message.fault("answered before it had read the whole request") }
        return message
      }
      guard let running = child else { throw .interrupted }
      if running.replies.isTooLong {
        throw Ending(settings.name, .badReply, "wrote a line of more than \(ByteSize.text(ReplyLines.longestLine))")
      }
      let now = ContinuousClock.now
      if now >= deadline {
        let limit = (settings.timeout / .seconds(1)).description
        let seconds = limit.hasSuffix(".0") ? String(limit.dropLast(2)) : limit
        throw Ending(settings.name, .timedOut, "\(late) within \(seconds) s")
      }
      let ready = wait(writing: sent < line.count ? running.input : -1, atMost: deadline - now)
      if ready.contains(interruption) { interrupt() }
      if isInterrupted || wakeUp.isStopping { throw .interrupted }
      if ready.contains(running.errors) { child?.takeErrors(buffer) }
      if ready.contains(running.input), sent < line.count {
        // When nobody reads it any more, its output tells why.
        sent += System.writeSome(running.input, line[sent...]) ?? line.count - sent
      }
      if ready.contains(running.output), child?.takeOutput(buffer) == false, child?.replies.hasLine == false {
        throw ended(running.replies.isEmpty ? "ended before it answered" : "ended in the middle of an answer")
      }
    }
  }

  /// The failure of having ended, and how.
  private mutating func ended(_ message: String) -> Ending {
    // A program that has closed its output needs a moment to be gone, on a busy machine a longer one.
    let status = child?.kill(buffer, patience: .milliseconds(500))
    child = nil
    let how =
      switch status {
      case .exited(let code): " (exit code \(code))"
      case .killed(let signal): " (signal \(signal))"
      case .unknown, nil: ""
      }
    return Ending(settings.name, .ended, message + how)
  }

  private var unasked: Ending {
    Ending(settings.name, .badReply, "wrote an unexpected line to its standard output; write remarks to standard error")
  }

  /// Gives up for good: the one who uses the strategy is about to end.
  private mutating func interrupt() {
    isInterrupted = true
    child?.kill(buffer)
    child = nil
  }

  private func trace(_ sign: String, _ line: ArraySlice<UInt8>) {
    settings.trace?("\(sign) \(Printable.text(line, limit: ProcessStrategy.Settings.longestTrace))")
  }

  private mutating func wait(writing: Int32 = -1, atMost limit: Duration?) -> Set<Int32> {
    let ready = System.wait(
      reading: [wakeUp.readEnd, isInterrupted ? -1 : interruption, child?.output ?? -1, child?.errors ?? -1], writing: writing,
      atMost: limit)
    if ready.contains(wakeUp.readEnd) { wakeUp.drain() }
    return ready
  }
}
