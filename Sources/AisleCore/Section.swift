/// A named part of a store, e.g. `Produce`.
public struct Section: Sendable, Hashable {
  /// The name as shown to people; unique within a taxonomy.
  public let name: String
  /// The color in which the section is shown.
  public let color: SectionColor

  /// Makes a section.
  public init(name: String, color: SectionColor) {
    self.name = name
    self.color = color
  }
}

/// A section's number: its place in the taxonomy's walking order, from 0.
///
/// Numbers from the taxonomy's section count upward refer to sections that a strategy invented; `Batch.sectionName(_:)` handles both.
public struct SectionID: Sendable, Hashable, Comparable, RawRepresentable {
  /// The place in walking order.
  public let rawValue: UInt16

  /// Makes the id of the section at a place in walking order.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Walking order.
  public static func < (left: SectionID, right: SectionID) -> Bool { left.rawValue < right.rawValue }
}

/// The colors that a section can have.
public enum SectionColor: String, Sendable, CaseIterable {
  /// A hue of the sections of stores.
  case emerald, amber, red, blue, cyan, orange, purple, yellow, pink, teal, slate, gray
  /// A hue of sections that a taxonomy does not know, too.
  case violet, rose, indigo, lime, fuchsia, sky

  /// The hues for sections that a taxonomy does not know.
  static let invented: [SectionColor] = [.violet, .rose, .indigo, .lime, .fuchsia, .sky]

  /// The color of a section that the taxonomy does not have: the same for the same name on every machine.
  ///
  /// - Complexity: O(length of the name); the 32-bit FNV-1a hash of its UTF-8.
  public static func forUnknownSection(named name: String) -> SectionColor {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return invented[Int(hash % UInt32(invented.count))]
  }
}
