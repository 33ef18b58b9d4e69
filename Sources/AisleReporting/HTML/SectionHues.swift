import AisleCore
import AisleEvaluation

/// Names of sections, each with the hue that it has in its store.
struct SectionHues {
  private let colors: [String: SectionColor]

  /// The hues of an evaluation's sections.
  init(_ evaluation: Evaluation) {
    colors = Dictionary(
      zip(evaluation.sectionNames, evaluation.sectionNames.indices.map(evaluation.color)), uniquingKeysWith: { first, _ in first }
    )
  }

  /// Hues by the sections' names alone, where the store is not at hand.
  init() { colors = [:] }

  /// The name of the class that gives an element the hue of a section.
  func hue(_ name: String) -> String { (colors[name] ?? SectionColor.forUnknownSection(named: name)).rawValue }

  /// A section's name with its hue.
  func section(_ name: String) -> Markup { "<span class=\"s \(hue(name))\">\(name)</span>" }

  /// Sections that are all right, best first.
  func sections(_ names: [String]) -> Markup {
    names.dropFirst().reduce(names.first.map(section) ?? "") { $0 + " or " + section($1) }
  }
}
