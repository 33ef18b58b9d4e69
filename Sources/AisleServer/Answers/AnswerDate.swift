import LearnedStrategy

/// The time as the header `Date` has it, written anew each second.
struct AnswerDate {
  private var second = 0
  private var written = ""

  /// The time now.
  var text: String {
    mutating get {
      let now = Timestamp.now
      if now / 1000 != second { (second, written) = (now / 1000, Timestamp.http(now)) }
      return written
    }
  }
}
