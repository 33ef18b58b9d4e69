import AisleCore

/// Why a phrase won, as evidence names it.
enum PhraseRule: UInt8, CaseIterable {
  case only, head, decisive, flavor, afterHead, descriptor, rotated, move, typo, substring

  /// The rule as `--explain` prints it.
  var rule: Rule {
    switch self {
    case .only: Rule("only", "no other keyword stands in the item")
    case .head: Rule("head", "the last good before a comma, parenthesis, with, in, for or of is what the item is")
    case .decisive: Rule("decisive", "the keyword settles the section wherever it stands")
    case .flavor: Rule("flavor", "only ingredients or flavors are named, and the last of them is the good")
    case .afterHead: Rule("after-head", "nothing stronger stands before the comma, parenthesis or with")
    case .descriptor: Rule("descriptor", "only descriptions are known, and they hint at a section")
    case .rotated: Rule("rotated", "what stands after the comma or parenthesis names the good with what stands before it")
    case .move: Rule("move", "a word moves the good to another shelf, as dried moves basil to the spices")
    case .typo: Rule("typo", "no good matched as written; one does with a slip, a blank or missing vowels mended")
    case .substring: Rule("substring", "the first section in match order with a keyword anywhere in the item")
    }
  }
}
