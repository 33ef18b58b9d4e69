import LearnedStrategy

extension CorrectionStoreError {
  /// What is wrong, and what to do about it on the command line.
  var advised: String {
    switch kind {
    case .missing: "\(self); `aisle correct ITEM SECTION` creates it"
    // The reasons end with another file, and how it is named is the command's.
    case .foreign, .damaged: "\(self) with --db"
    case .newer, .busy, .system, .invalid: "\(self)"
    }
  }
}
