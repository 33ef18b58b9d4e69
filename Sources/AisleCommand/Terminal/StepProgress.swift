/// A line on stderr that tells which step of long work is being done; on terminals only.
final class StepProgress {
  private let isShown = Descriptor.standardError.isTerminal
  private let start = ContinuousClock.now
  private var isVisible = false

  /// Shows the line, from half a second on.
  ///
  /// - Throws: `Interruption` after Ctrl-C, with the line taken away.
  func show(_ what: String, _ done: Int, _ all: Int) throws {
    do { try Interruption.check() } catch {
      clear()
      throw error
    }
    guard isShown, ContinuousClock.now - start > .milliseconds(500) else { return }
    Descriptor.standardError.tell("\r\u{1B}[K\(what): \(done + 1) of \(max(all, done + 1))")
    isVisible = true
  }

  /// Takes the line away.
  func clear() {
    if isVisible { Descriptor.standardError.tell("\r\u{1B}[K") }
    isVisible = false
  }
}
