/// Items that a chain works on together, and the decisions made for them so far.
///
/// The bytes of all items are stored back to back in `text`, exactly as they came in. Strategies read them, decide what they can,
/// and leave the rest alone. A batch can be reused: `removeAll` keeps its memory.
public struct Batch: Sendable {
  /// How many bytes may be read past the end of any item: `text` always has that many zeros at its end.
  public static let padding = 64

  /// The location of an item in `text`.
  public struct Extent: Sendable {
    /// The offset of its first byte.
    public var start: UInt32
    /// Its length in bytes.
    public var length: UInt32

    /// Makes an extent.
    public init(start: UInt32, length: UInt32) {
      self.start = start
      self.length = length
    }
  }

  /// The bytes of all items, followed by `padding` zeros.
  public private(set) var text: [UInt8]
  /// The location of each item.
  public private(set) var extents: ContiguousArray<Extent> = []
  /// A decision for each item, or `nil` while undecided.
  public private(set) var decisions: ContiguousArray<Decision?> = []
  /// Texts that decisions refer to by `Evidence.note`.
  public private(set) var notes: [String] = []
  /// Names of sections that the taxonomy does not have, in order of first use.
  public private(set) var inventedSections: [String] = []
  /// Items that come right before this batch's on the same list, where it is a piece of one: for strategies that look at neighbors.
  package var preceding: [String] = []
  /// The taxonomy that the decisions are about.
  public let taxonomy: Taxonomy

  /// Makes an empty batch.
  public init(taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    text = [UInt8](repeating: 0, count: Batch.padding)
  }

  /// Makes a batch of texts.
  public init(_ items: some Sequence<String>, taxonomy: Taxonomy) {
    self.init(taxonomy: taxonomy)
    for var item in items { item.withUTF8 { append($0) } }
  }

  /// The number of items.
  public var count: Int { extents.count }

  /// The places of the items that no strategy has decided yet.
  public var undecided: some Sequence<Int> { decisions.indices.lazy.filter { [decisions] in decisions[$0] == nil } }

  /// An item's bytes as text; invalid UTF-8 shows as U+FFFD.
  public func item(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// An item's bytes, exactly as they came in.
  public func bytes(_ index: Int) -> ArraySlice<UInt8> {
    let extent = extents[index]
    return text[Int(extent.start)..<Int(extent.start) + Int(extent.length)]
  }

  /// An item in normalized form: see `Normalizer`.
  public func normalized(_ index: Int) -> String { Normalizer.normalize(item(index)) }

  /// Adds an item.
  public mutating func append(_ item: some Collection<UInt8>) {
    let start = text.count - Batch.padding
    text.replaceSubrange(start..., with: item)
    addExtent(Extent(start: UInt32(start), length: UInt32(text.count - start)))
    text.append(contentsOf: repeatElement(0, count: Batch.padding))
  }

  /// Replaces all items by parts of a text, without copying it: `text` must end in `padding` zeros, which no extent reaches into.
  public mutating func setItems(text: consuming [UInt8], extents: consuming ContiguousArray<Extent>) {
    precondition(text.count >= Batch.padding)
    precondition(extents.allSatisfy { Int($0.start) + Int($0.length) <= text.count - Batch.padding })
    self.text = text
    self.extents = extents
    clearDecisions()
  }

  /// Replaces all items by one.
  package mutating func setItem(_ item: UnsafeBufferPointer<UInt8>) {
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: item)
    text.append(contentsOf: repeatElement(0, count: Batch.padding))
    extents.removeAll(keepingCapacity: true)
    extents.append(Extent(start: 0, length: UInt32(item.count)))
    clearDecisions()
  }

  /// Takes the text and extents out, so that a reader can fill them again; leaves the batch empty.
  public mutating func takeStorage() -> (text: [UInt8], extents: ContiguousArray<Extent>) {
    var empty = ([UInt8](repeating: 0, count: Batch.padding), ContiguousArray<Extent>())
    swap(&empty.0, &text)
    swap(&empty.1, &extents)
    clearDecisions()
    return empty
  }

  /// Removes all items and decisions.
  public mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: repeatElement(0, count: Batch.padding))
    extents.removeAll(keepingCapacity: true)
    clearDecisions()
  }

  /// Decides an item. An item that is already decided stays as it is.
  public mutating func decide(_ index: Int, _ decision: Decision) {
    if decisions[index] == nil { decisions[index] = decision }
  }

  /// Decides many items at once: `body` gets the text, the extents and the decisions in place, and fills in those that are `nil`.
  ///
  /// For strategies that work at memory speed; others call `decide(_:_:)`.
  public mutating func withStorage<Result>(
    _ body: (UnsafePointer<UInt8>, UnsafeBufferPointer<Extent>, UnsafeMutableBufferPointer<Decision?>) -> Result
  ) -> Result? {
    var result: Result?
    withStorage { result = body($0, $1, $2) }
    return result
  }

  /// The same for what has no result; the compiler knows its types, which saves a small batch much of the time.
  package mutating func withStorage(
    _ body: (UnsafePointer<UInt8>, UnsafeBufferPointer<Extent>, UnsafeMutableBufferPointer<Decision?>) -> Void
  ) {
    text.withUnsafeBufferPointer { text in
      extents.withUnsafeBufferPointer { extents in
        decisions.withUnsafeMutableBufferPointer { decisions in
          if let text = text.baseAddress { body(text, extents, decisions) }
        }
      }
    }
  }

  /// Reads many items and their decisions in place, at memory speed.
  public func withItems<Result>(
    _ body: (UnsafePointer<UInt8>, UnsafeBufferPointer<Extent>, UnsafeBufferPointer<Decision?>) -> Result
  ) -> Result? {
    text.withUnsafeBufferPointer { text in
      extents.withUnsafeBufferPointer { extents in
        decisions.withUnsafeBufferPointer { decisions in
          text.baseAddress.map { body($0, extents, decisions) }
        }
      }
    }
  }

  /// Stores a text for a decision's evidence and returns the number that refers to it.
  public mutating func note(_ text: String) -> UInt32 {
    notes.append(text)
    return UInt32(notes.count - 1)
  }

  /// Keeps texts and gives the number of the first; the others' numbers follow it.
  package mutating func note(_ texts: [String]) -> UInt32 {
    notes.append(contentsOf: texts)
    return UInt32(notes.count - texts.count)
  }

  /// The text that a decision's evidence refers to; `nil` where there is none.
  package func note(of decision: Decision) -> String? {
    decision.evidence.note.flatMap { notes.indices.contains(Int($0)) ? notes[Int($0)] : nil }
  }

  /// The id of the section with this name. A section that the taxonomy does not have gets a new number in this batch.
  public mutating func sectionID(named name: String) -> SectionID {
    if let known = taxonomy.section(named: name) { return known }
    let index = inventedSections.firstIndex(of: name) ?? inventedSections.count
    if index == inventedSections.count { inventedSections.append(name) }
    return SectionID(rawValue: UInt16(taxonomy.sections.count + index))
  }

  /// The name of a section, including one that a strategy invented.
  public func sectionName(_ id: SectionID) -> String {
    let invented = Int(id.rawValue) - taxonomy.sections.count
    return inventedSections.indices.contains(invented) ? inventedSections[invented] : taxonomy[id].name
  }

  /// The name of the section that an item belongs to: the decision's, or the fallback's while undecided.
  public func sectionName(at index: Int) -> String { sectionName(decisions[index]?.section ?? taxonomy.fallback) }

  /// Takes back an item's decision and gives it; the chain does this where a decision is not sure enough.
  mutating func withdraw(_ index: Int) -> Decision? {
    defer { decisions[index] = nil }
    return decisions[index]
  }

  /// Marks the decisions that are no strategy's yet as one's.
  mutating func credit(_ strategy: StrategyID) {
    decisions.withUnsafeMutableBufferPointer { decisions in
      for index in decisions.indices where decisions[index].map({ $0.strategy == nil }) ?? false {
        decisions[index]?.strategy = strategy
      }
    }
  }

  private mutating func addExtent(_ extent: Extent) {
    extents.append(extent)
    decisions.append(nil)
  }

  private mutating func clearDecisions() {
    decisions.removeAll(keepingCapacity: true)
    decisions.append(contentsOf: repeatElement(nil, count: extents.count))
    notes.removeAll(keepingCapacity: true)
    inventedSections.removeAll(keepingCapacity: true)
    preceding.removeAll()
  }
}
