import AisleCore

extension Gate {
  /// A floor that cannot be read, or that asks for a score that there is not.
  public struct FloorFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to write instead, e.g. `95x: write a percentage from 0 to 100, e.g. 97.5 or macro-f1=90`.
    public let description: String
  }
}

extension Gate.Floor {
  /// Reads a floor: `SCORE=PERCENT`, or `PERCENT` for accuracy.
  public init(_ text: String) throws(Gate.FloorFault) {
    let sign = text.lastIndex(of: "=")
    let name = sign.map { String(text[..<$0]) } ?? "accuracy"
    let number = sign.map { String(text[text.index(after: $0)...]) } ?? text
    guard let percent = Double(number.hasSuffix("%") ? String(number.dropLast()) : number), (0...100).contains(percent) else {
      throw Gate.FloorFault(description: "\(text): write a percentage from 0 to 100, e.g. 97.5 or macro-f1=90")
    }
    if percent > 0, percent < 1 {
      throw Gate.FloorFault(description: "\(text) is below one percent; write \(Figures.fixed(percent * 100, 1))")
    }
    guard let metric = Gate.Metric(name) else {
      let names = ["accuracy", "macro-f1", "placed", "split:", "tag:", "section:", "recall:"]
      let hint = DidYouMean.hint(name, among: names)
      throw Gate.FloorFault(
        description: "\(text): no score `\(name)`\(hint.isEmpty ? "; use one of \(names.joined(separator: ", "))" : hint)")
    }
    self.init(metric, least: percent / 100)
  }

  /// Checks that there is such a score.
  ///
  /// - Parameters:
  ///   - tags: The tags of the corpus.
  ///   - sections: The names of the store's sections.
  public func check(tags: Set<String>, sections: [String], splits: [String]) throws(Gate.FloorFault) {
    let (name, known): (String, [String])
    switch metric {
    case .accuracy, .macroF1, .placed: return
    case .split(let split): (name, known) = (split, splits)
    case .tag(let tag): (name, known) = (tag, tags.sorted())
    case .section(let section), .recall(let section): (name, known) = (section, sections)
    }
    if known.contains(name) { return }
    let hint = DidYouMean.hint(name, among: known)
    // There are always sections and splits.
    let list = known.isEmpty ? "; the corpus has no tags" : "; use one of \(DidYouMean.list(known))"
    throw Gate.FloorFault(description: "\(metric.name): there is no `\(name)`\(hint.isEmpty ? list : hint)")
  }
}

extension Gate.Metric {
  /// Finds a score by its name.
  init?(_ name: String) {
    switch name {
    case "accuracy": self = .accuracy
    case "macro-f1": self = .macroF1
    case "placed": self = .placed
    default:
      guard let colon = name.firstIndex(of: ":") else { return nil }
      let value = String(name[name.index(after: colon)...])
      switch name[..<colon] {
      case "split": self = .split(value)
      case "tag": self = .tag(value)
      case "section": self = .section(value)
      case "recall": self = .recall(value)
      default: return nil
      }
    }
  }

  /// What is measured, where the score's name is that of the items alone.
  var measure: String? {
    switch self {
    case .accuracy, .macroF1, .placed: nil
    case .split, .tag: "accuracy"
    case .section: "F1"
    case .recall: "recall"
    }
  }
}
