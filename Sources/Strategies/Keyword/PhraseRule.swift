import AisleCore

/// Why a phrase won, as evidence names it.
enum PhraseRule: UInt8, CaseIterable {
  case only, head, decisive, flavor, afterHead, descriptor, rotated, move, typo, substring

  /// The rule as `--explain` prints it.
  var rule: Rule {
    switch self {
    case .only: Rule("only", "it is the only keyword in the item")
    case .head: Rule("head", "it is the last product before a comma, a parenthesis, with, in, for, or of")
    case .decisive: Rule("decisive", "it decides the section wherever it appears")
    case .flavor: Rule("flavor", "only ingredients or flavors are named, and it is the last of them")
    case .afterHead: Rule("after-head", "it comes after the head, and nothing stronger comes before it")
    case .descriptor: Rule("descriptor", "only descriptors are known, and they hint at a section")
    case .rotated: Rule("rotated", "the words name the product when read across the comma, or with the first one last")
    case .move: Rule("move", "a word moved the product to another shelf, as dried moves basil to the spices")
    case .typo:
      Rule(
        "typo",
        "no product, or only a part of its name, matched as written; it does once a typo, a space, or missing vowels are corrected"
      )
    case .substring: Rule("substring", "the first section in match order with a keyword anywhere in the item")
    }
  }
}
