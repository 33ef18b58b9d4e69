public import AisleFiles

/// Goes through items and writes their labels to a corpus file.
public struct LabelSession {
  /// What was done about an item.
  public enum Step: Sendable, Hashable {
    /// Its labels were written.
    case labeled
    /// It was passed over.
    case skipped
  }

  /// How many items were labeled here.
  public var labeled: Int { steps.count { $0 == .labeled } }
  /// How many items were passed over here.
  public var skipped: Int { steps.count { $0 == .skipped } }
  /// How many items have no label yet: passed over, still to be asked about, or outside of the sample.
  public var left: Int { opinions.count - labeled }

  private let opinions: LabelOpinions
  private let file: CorpusWriter
  private let tags: [String]
  /// The places of the items to ask about, in order.
  private let queue: [Int]
  /// What was done, oldest first: one step for each item before the one at hand.
  private var steps: [Step] = []

  /// Prepares to label items.
  ///
  /// - Parameters:
  ///   - opinions: Items that have no label yet, with what is said about them.
  ///   - places: The places of the items to ask about, in order.
  ///   - tags: The tags of the lines that are written.
  public init(_ opinions: LabelOpinions, places: [Int], to file: CorpusWriter, tags: [String] = []) {
    (self.opinions, queue, self.file, self.tags) = (opinions, places, file, tags)
  }

  /// How many items are asked about.
  public var count: Int { queue.count }

  /// The place of the current item, from 0; `count` at the end.
  public var place: Int { steps.count }

  /// The current item; `nil` at the end.
  public var question: LabelQuestion? { place < queue.count ? opinions.question(queue[place]) : nil }

  /// Writes labels for the current item, best first, and goes on to the next.
  ///
  /// - Throws: `FileError` if they cannot be written; the item is then still the current one.
  public mutating func label(_ labels: [String]) throws(FileError) {
    guard place < queue.count else { return }
    try file.append(opinions.item(queue[place]), labels: labels, tags: tags)
    steps.append(.labeled)
  }

  /// Passes over the current item.
  public mutating func skip() { if place < queue.count { steps.append(.skipped) } }

  /// Goes back to the item before, and removes its line from the file.
  ///
  /// - Returns: What was undone; `nil` at the first item.
  /// - Throws: `FileError` if the line cannot be removed; nothing is then undone.
  public mutating func undo() throws(FileError) -> Step? {
    guard let last = steps.last else { return nil }
    if last == .labeled { try file.removeLast() }
    steps.removeLast()
    return last
  }
}
