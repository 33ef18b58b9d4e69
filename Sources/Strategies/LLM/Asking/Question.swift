import AisleCore

/// An item that a model is asked about.
struct Question: Sendable, Hashable {
  /// The item in normalized form.
  let name: String
  /// The item as the model gets it: no control characters, blanks at neither end.
  let text: String
  /// The section where it stands, where that is the question; empty for one that stands nowhere yet.
  let present: String?
  /// Other items of its list, where they may tell what it means.
  var neighbors: Neighbors?

  /// The longest item that is asked about, in bytes; a longer one is no grocery.
  static let maximumBytes = 512

  /// Reads an item; `nil` where there is nothing to ask.
  init?(_ item: ArraySlice<UInt8>, present: String? = nil) {
    guard item.count <= Self.maximumBytes else { return nil }
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: item, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        // Joiners hold emoji together.
        scalars.append(scalar == "\u{200D}" ? scalar : " ")
      default: scalars.append(scalar)
      }
    }
    let text = String(scalars).split(separator: " ").joined(separator: " ")
    guard !text.isEmpty else { return nil }
    self.text = text
    let normalized = Normalizer.normalize(text)
    name = normalized.isEmpty ? text : normalized
    self.present = present
  }

  /// What says that two questions are the same: the normalized item, and after a tab its section, or what tells its neighbors from others.
  var key: String {
    if let neighbors { return "\(name)\t(beside \(neighbors.fingerprint))" }
    return present.map { "\(name)\t\($0)" } ?? name
  }

  /// Whether the item is so short that it may be a word of several languages, or part of another: one word of at most 4 letters.
  var isShort: Bool { name.count <= 4 && !name.contains(" ") }

  /// The key of the same question after the item has moved where the model wants it; `nil` where it stays.
  func agreedKey(with answer: ModelAnswer) -> String? {
    guard let present else { return nil }
    switch answer {
    case .section(let section), .newSection(let section), .guess(let section):
      return section == present ? nil : "\(name)\t\(section)"
    case .none: return nil
    }
  }

  /// The id of the question at a place of a request.
  static func id(_ place: Int) -> String { String(place + 1) }
}
