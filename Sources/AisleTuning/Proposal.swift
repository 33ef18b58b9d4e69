public import AisleCore

/// A change to a store's keywords that was found from mistakes, with its effect.
public struct Proposal: Sendable {
  /// An item whose answer changes.
  public struct Flip: Sendable, Hashable {
    /// The item: an index into `TuningItems.items`. None is from the holdout.
    public let item: Int
    /// The answers before and after.
    public let before: SectionID, after: SectionID
  }

  /// The change: one keyword added, removed, or given another strength.
  public let edits: [KeywordEdit]
  /// The items of the tune split that it makes right, those that it makes wrong, and others that it moves.
  public internal(set) var won: [Flip] = [], lost: [Flip] = [], moved: [Flip] = []
  /// The removed keyword, if it needs itself to get its own section and no item with its name is won.
  public internal(set) var stranded: [StrandedKeyword] = []
  /// How many holdout items it makes right and wrong.
  public internal(set) var holdoutWon = 0, holdoutLost = 0

  init(_ edits: [KeywordEdit]) { self.edits = edits }

  /// Items won minus items lost on the tune split.
  public var gain: Int { won.count - lost.count }
  /// Items won minus items lost on the holdout split.
  public var holdoutGain: Int { holdoutWon - holdoutLost }
}
