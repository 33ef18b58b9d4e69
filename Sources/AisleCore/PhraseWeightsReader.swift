/// Reads `weights.txt`: `name = value` a line, `#` comments.
struct PhraseWeightsReader {
  /// What the file says; what it leaves out or has wrong is as without it.
  private(set) var weights: PhraseWeights
  /// What is wrong in the file.
  private(set) var findings: [Finding] = []
  private let path: String
  private var places: [PhraseWeights.Setting: SourceLocation] = [:]

  /// - Parameter weights: What holds for settings that the text leaves out.
  init(_ text: UnsafeBufferPointer<UInt8>, path: String, over weights: PhraseWeights) {
    self.path = path
    self.weights = weights
    forEachLine(of: text) { read($2, line: $0, column: $1) }
    if let fault = self.weights.disorder() {
      let setting = PhraseWeights.Setting.weight(fault.strength)
      findings.append(Finding(places[setting] ?? SourceLocation(path: path), "`\(setting.name)` \(fault.message)"))
    }
  }

  private mutating func read(_ written: UnsafeBufferPointer<UInt8>, line: Int, column: Int) {
    let location = SourceLocation(path: path, line: line, column: column)
    guard let sign = written.firstIndex(of: UInt8(ascii: "=")) else {
      findings.append(Finding(location, "expected `name = value`, e.g. `odds rival = 0.5`"))
      return
    }
    // Blanks within a name count as one.
    let name = String(decoding: written[..<sign], as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let setting = PhraseWeights.Setting(name: name) else {
      let known = PhraseWeights.Setting.allCases.map(\.name)
      let hint = DidYouMean.hint(name, among: known)
      findings.append(
        Finding(location, "no setting `\(name)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)"))
      return
    }
    if let first = places.updateValue(location, forKey: setting) {
      findings.append(Finding(location, "`\(name)` is already set on line \(first.line); keep one"))
      return
    }
    var start = sign + 1
    while start < written.count, written[start] <= 0x20 { start += 1 }
    if let fault = weights.set(setting, to: String(decoding: written[start...], as: UTF8.self)) {
      findings.append(Finding(SourceLocation(path: path, line: line, column: column + start), "`\(name)` \(fault)"))
    }
  }
}
