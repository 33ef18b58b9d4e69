#if Corrections
  import LearnedStrategy

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension Aisle {
    /// Opens a compiled-in store with the corrections of a file: an SQLite database, made by the first correction.
    ///
    /// The file is the one that `aisle --db` uses, and several processes may use it at once. What another process teaches is known here
    /// within a millisecond, without any notification.
    ///
    /// - Parameters:
    ///   - store: The store's id; see `Taxonomy.builtInStores`.
    ///   - corrections: Where the file is, or will be.
    ///   - report: Receives warnings to show people; called from any thread. They are about a damaged index that was rebuilt, and about
    ///     corrections that can no longer be read.
    /// - Throws: `UnknownStore` for a store that is not compiled in; `CorrectionStoreError` for a file that is damaged, not ours, or too
    ///   new; `NoCorrections` for a URL that is not a file URL.
    public convenience init(
      store: String = "kroger", corrections: URL, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
      guard corrections.isFileURL else {
        throw NoCorrections(description: "`\(corrections)` is not the URL of a file; corrections are kept in a file")
      }
      try self.init(store: store, corrections: corrections.path, report: report)
    }

    /// The same with the file's path.
    public convenience init(
      store: String = "kroger", corrections path: String, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
      let opened = try OpenedStore.open(store)
      self.init(opened, learned: try LiveLearnedStrategy(opened.taxonomy, path: path, report: report), report: report)
    }

    /// Uses a store of your own, with the corrections of a file.
    ///
    /// - Throws: as `init(store:corrections:report:)` does.
    public convenience init(
      taxonomy: Taxonomy, corrections: URL, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
      guard corrections.isFileURL else {
        throw NoCorrections(description: "`\(corrections)` is not the URL of a file; corrections are kept in a file")
      }
      let learned = try LiveLearnedStrategy(taxonomy, path: corrections.path, report: report)
      self.init(OpenedStore(taxonomy), learned: learned, report: report)
    }

    // MARK: Teaching

    /// What a call changed in the corrections; give it to `undo` to take the change back.
    public struct Action: Sendable, Hashable, Codable {
      /// Its number in the file.
      public let number: Int
    }

    /// A correction: what a person said about an item.
    public struct Correction: Sendable, Hashable, Codable {
      /// The item as the person wrote it.
      public let item: String
      /// The section's name.
      public let section: String
      /// The shelf, where the person named one.
      public let shelf: String?
      /// Who said so.
      public let by: String
      /// The model that proposed it; `nil` if no model was involved.
      public let model: String?
      /// When, to the millisecond.
      public let date: Date
    }

    /// Says where an item belongs, once and for all: this applies from the next call on, and also to the item in other words.
    ///
    /// The correction is on the disk when the call returns, which takes milliseconds; the keywords are not touched.
    ///
    /// - Parameters:
    ///   - item: The item; its normalized form must not be empty.
    ///   - section: A section's name, in upper or lower case, or its id; or a shelf's name, which also teaches other stores that have the
    ///     shelf.
    ///   - by: Who says so.
    ///   - date: When.
    /// - Returns: what to give `undo`.
    /// - Throws: `UnknownSection`; `NoCorrections` where the `Aisle` has no file; `CorrectionStoreError` where the file cannot be written.
    @discardableResult
    public func correct(_ item: String, to section: String, by: String, at date: Date = Date()) throws -> Action {
      let place = try place(named: section)
      let store = taxonomy.store
      return try change { corrections throws(CorrectionStoreError) in
        let lesson = try corrections.teach(
          StoredCorrection(
            store: store, item: item, section: place.section, shelf: place.shelf,
            origin: Origin(proposer: by, time: date.milliseconds)))
        return Action(number: lesson.action)
      }
    }

    /// Takes an action back: a correction, an accepted or dismissed suggestion, or what was forgotten.
    ///
    /// - Parameters:
    ///   - action: What the call returned; if `nil`, the last action in the file, whoever did it.
    ///   - date: When.
    /// - Returns: what was taken back, for people, e.g. `correct oat milk -> Snacks`; `nil` when there is nothing.
    /// - Throws: `NoCorrections`; `CorrectionStoreError`, also if what the action changed was changed again since then.
    @discardableResult
    public func undo(_ action: Action? = nil, at date: Date = Date()) throws -> String? {
      try change { corrections throws(CorrectionStoreError) in try corrections.undo(action?.number, time: date.milliseconds) }
    }

    /// Forgets what people said about an item, in this store.
    ///
    /// - Returns: whether there was something to forget.
    /// - Throws: `NoCorrections`; `CorrectionStoreError`.
    @discardableResult
    public func forget(_ item: String, at date: Date = Date()) throws -> Bool {
      let store = taxonomy.store
      return try change { corrections throws(CorrectionStoreError) in
        try corrections.forget(items: [item], .init(store: store), time: date.milliseconds).count > 0
      }
    }

    /// What people said about this store, by item.
    ///
    /// - Throws: `NoCorrections`; `CorrectionStoreError`.
    public func corrections() throws -> [Correction] {
      try read { corrections throws(CorrectionStoreError) in try corrections.corrections() }.filter { $0.store == taxonomy.store }
        .map {
          Correction(
            item: $0.item, section: $0.section, shelf: $0.shelf, by: $0.origin.proposer, model: $0.origin.model,
            date: Date(milliseconds: $0.origin.time))
        }
    }

    /// The changes to the corrections and suggestions, whoever makes them: another process, or this one.
    ///
    /// ```swift
    /// for await change in aisle.changes { show(change.items.map { aisle.categorize($0) }) }
    /// ```
    ///
    /// `categorize` does not need this to know what was changed: it is for what an app has on its screen. A change is reported within half
    /// a second, and changes that come together are reported as one. The sequence ends with the task that waits for it, or at once if the
    /// `Aisle` has no file. Each `for await` gets all changes made since it began.
    public var changes: CorrectionChanges { CorrectionChanges(learned?.path, report: report) }

    // MARK: The file

    func change<Result: Sendable>(
      _ body: (CorrectionStore) throws(CorrectionStoreError) -> Result
    ) throws -> Result {
      guard let learned else { throw NoCorrections() }
      return try learned.change(body)
    }

    /// Reads what the file holds; where there is none yet, an empty list.
    func read<Element>(_ body: (CorrectionStore) throws(CorrectionStoreError) -> [Element]) throws -> [Element] {
      guard let learned else { throw NoCorrections() }
      do throws(CorrectionStoreError) { return try body(try CorrectionStore(learned.path, access: .reading)) } catch {
        if error.kind == .missing { return [] }
        throw error
      }
    }
  }

  /// A correction as its file keeps it; inside `Aisle` the name is that of an app's.
  typealias StoredCorrection = Correction
  /// A suggestion as its file keeps it.
  typealias StoredSuggestion = Suggestion

  /// There is no file for corrections.
  public struct NoCorrections: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, in one line.
    public let description: String

    init(description: String = "this `Aisle` has no file for corrections; make it with `corrections:`") {
      self.description = description
    }
  }

  extension Date {
    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Since 1970, without a trap whatever the date: one that cannot be kept is refused by the file.
    var milliseconds: Int { Int(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? .max }
  }
#endif
