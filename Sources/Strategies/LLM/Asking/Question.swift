import AisleCore

/// An item that a model is asked about.
struct Question: Sendable, Hashable {
  /// What says that two items are the same: the normalized item.
  let key: String
  /// The item as the model gets it: no control characters, blanks at neither end.
  let text: String
  /// The section where it stands, where that is the question.
  let present: String?

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
    let name = normalized.isEmpty ? text : normalized
    key = present.map { "\(name)\t\($0)" } ?? name
    self.present = present
  }

  /// The key of the same question after the item has moved where the model wants it; `nil` where it stays.
  func agreedKey(with answer: ModelAnswer) -> String? {
    guard let present else { return nil }
    switch answer {
    case .section(let section), .newSection(let section), .guess(let section):
      return section == present ? nil : "\(key.dropLast(present.count))\(section)"
    case .none: return nil
    }
  }

  /// The id of the question at a place of a request.
  static func id(_ place: Int) -> String { String(place + 1) }
}
