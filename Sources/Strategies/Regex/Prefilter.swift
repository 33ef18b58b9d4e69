import AisleCore

/// One pass over an item that says which of many patterns may match it, so that hundreds of them cost little more than one.
///
/// Each pattern waits for one of a few texts that every match of it holds, or for a first letter, and goes by the rarest three letters of
/// each text. A bitmap of all triples of letters says where in an item one of those stands, in most items nowhere. Only there it is looked
/// at closely: at texts in full, and at what else is known of a match. See `PrefilterScan`.
struct Prefilter: Sendable {
  /// A text that a pattern waits for.
  struct Entry: BitwiseCopyable, Equatable {
    /// Where its kinds begin in `Tables.kinds`.
    var start: UInt32
    var pattern: UInt16
    var count: UInt8
    /// Where in the text the pair that it goes by stands.
    var pair: UInt8
  }

  /// What else an item must be like for a pattern to match it: see `Requirement`.
  struct Row: BitwiseCopyable, Equatable {
    var begins: UInt64
    var within: UInt64
    var emoji: UInt64
    var sets: (UInt64, UInt64, UInt64, UInt64)

    static func == (left: Row, right: Row) -> Bool {
      left.begins == right.begins && left.within == right.within && left.emoji == right.emoji && left.sets == right.sets
    }
  }

  /// A pattern that waits for a single letter.
  struct Single: BitwiseCopyable, Equatable {
    var kinds: UInt64
    var pattern: UInt64
  }

  /// The tables, as `PrefilterBuilder` makes them and a file holds them.
  struct Tables {
    /// For each pair of kinds a bit for each third: clear where no text goes by such a triple. The last word has a bit for each kind of
    /// first letter that a pattern goes by.
    var triples: FlatTable<UInt64>
    /// For each pair of kinds where its entries begin in `links`; one more number ends the last.
    var starts: FlatTable<UInt32>
    /// Numbers of entries.
    var links: FlatTable<UInt32>
    var entries: FlatTable<Entry>
    /// The kinds of the entries' texts.
    var kinds: FlatTable<UInt64>
    /// A row a pattern.
    var rows: FlatTable<Row>
    var singles: FlatTable<Single>
    /// The patterns that wait for the first letter.
    var starters: FlatTable<UInt16>
    /// The patterns that wait for nothing.
    var always: FlatTable<UInt16>
  }

  let tables: Tables

  init(_ tables: Tables) { self.tables = tables }
}
