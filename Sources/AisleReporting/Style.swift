package import AisleCore

/// Colors and weights for terminals; plain text where there is no color.
package struct Style: Sendable {
  package let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package static let plain = Style(isColored: false)

  package func bold(_ text: String) -> String { wrap(text, "1") }
  package func dim(_ text: String) -> String { wrap(text, "2") }
  package func colored(_ text: String, _ color: SectionColor) -> String { wrap(text, "1;38;5;\(Self.codes[color] ?? 7)") }
  package func error(_ text: String) -> String { wrap(text, "1;31") }
  package func good(_ text: String) -> String { wrap(text, "32") }
  package func bad(_ text: String) -> String { wrap(text, "31") }

  private func wrap(_ text: String, _ code: String) -> String { isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }

  /// The hues in the 256-color palette, readable on dark and light grounds.
  private static let codes: [SectionColor: Int] = [
    .emerald: 35, .amber: 172, .red: 160, .blue: 33, .cyan: 37, .orange: 208, .purple: 98, .yellow: 178, .pink: 205, .teal: 30,
    .slate: 67, .gray: 244, .violet: 99, .rose: 204, .indigo: 62, .lime: 106, .fuchsia: 164, .sky: 39,
  ]

  /// A text with control characters and those that are not seen made visible, so that none reaches a terminal raw: see `VisibleText`.
  package static func visible(_ text: String) -> String { VisibleText.line(text) }
}
