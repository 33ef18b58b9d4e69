public import AisleCore

/// A change to a store's keywords as people write it: `+nut-butters: sunflower butter`, `-butter: cream`, `+Produce: ~kale`.
public struct KeywordEdit: Sendable, Hashable, CustomStringConvertible {
  /// The kind of change.
  public enum Action: Character, Sendable {
    case add = "+"
    case remove = "-"
  }

  /// The kind of change.
  public let action: Action
  /// The shelf, or the section that owns the keyword, as written.
  public let place: String
  /// The keyword, without its strength sign.
  public let text: String
  /// Its strength; `nil` to remove the keyword whatever its strength, if no sign was written.
  public let strength: Keyword.Strength?

  /// Makes a change.
  public init(_ action: Action, place: String, text: String, strength: Keyword.Strength?) {
    self.action = action
    self.place = place
    self.text = text
    self.strength = strength
  }

  /// The replacement for `-` where that would begin an option.
  public static let minus: Character = "\u{2212}"

  /// Reads a change.
  ///
  /// - Throws: `TuningError`, which says how to write one.
  public init(_ written: String) throws(TuningError) {
    let manual = "write '+SHELF: keyword' or '-SHELF: keyword', e.g. '+nut-butters: sunflower butter'"
    guard let action = written.first.flatMap({ Action(rawValue: $0 == Self.minus ? "-" : $0) }) else {
      throw TuningError("`\(written)` does not begin with + or -; \(manual)")
    }
    guard let colon = written.firstIndex(of: ":") else { throw TuningError("`\(written)` has no colon; \(manual)") }
    let place = written[written.index(after: written.startIndex)..<colon].trimmed
    var rest = written[written.index(after: colon)...].trimmed
    if place.isEmpty { throw TuningError("`\(written)` names no shelf; \(manual)") }
    var strength: Keyword.Strength?
    if let sign = rest.first, let found = Keyword.Strength.allCases.first(where: { $0.sign == String(sign) }) {
      strength = found
      rest = rest.dropFirst().trimmed
    }
    if rest.isEmpty { throw TuningError("`\(written)` has no keyword; \(manual)") }
    if rest.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw TuningError("the keyword has a control character; write one line of plain text")
    }
    self.init(action, place: place, text: rest, strength: strength ?? (action == .add ? .good : nil))
  }

  /// The keyword as written in a file.
  public var written: String { (strength?.sign ?? "") + text }

  /// The change as people write it.
  public var description: String { "\(action.rawValue)\(place): \(written)" }
}
