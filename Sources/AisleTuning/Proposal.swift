public import AisleCore

/// A change to a store's keywords that was found by looking at mistakes, with what it does.
public struct Proposal: Sendable {
  /// An item that gets another answer.
  public struct Flip: Sendable, Hashable {
    /// The item: a place in `TuningItems.items`. None is of the holdout.
    public let item: Int
    /// The answers before and after.
    public let before: SectionID, after: SectionID
  }

  /// The change: one keyword added, removed, or given another strength.
  public let edits: [KeywordEdit]
  /// Items of the tuning split that it makes right, those that it makes wrong, and others that it moves.
  public internal(set) var won: [Flip] = [], lost: [Flip] = [], moved: [Flip] = []
  /// The keyword where it is removed although it gets its section by it, unless an item of its name is won.
  public internal(set) var stranded: [StrandedKeyword] = []
  /// How many items of the holdout it makes right and wrong.
  public internal(set) var holdoutWon = 0, holdoutLost = 0

  init(_ edits: [KeywordEdit]) { self.edits = edits }

  /// Items won less items lost on the tuning split.
  public var gain: Int { won.count - lost.count }
  /// Items won less items lost on the holdout.
  public var holdoutGain: Int { holdoutWon - holdoutLost }
}
