#if Corrections
  import LearnedStrategy

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension Aisle {
    /// A change of section that someone proposed, usually a model, and that waits for a person.
    public struct Suggestion: Sendable, Hashable, Codable, Identifiable {
      /// Its number in the file, from 1; never given twice.
      public let id: Int
      /// The item as it was written.
      public let item: String
      /// The name of the section that it has now.
      public let from: String
      /// The name of the section that it should have.
      public let to: String
      /// How likely that is right, in 0…1; `nil` where the proposer does not say.
      public let confidence: Double?
      /// Who or what proposed it.
      public let by: String
      /// The model that it came from; `nil` where none had a part in it.
      public let model: String?
      /// When it was proposed, to the millisecond.
      public let date: Date
    }

    /// Proposes another section for an item. Nothing is learned until a person accepts it.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - section: A section's name or id, or a shelf's name.
    ///   - confidence: How likely that is right, in 0…1; `nil` where the proposer does not say.
    ///   - by: Who or what proposes it, e.g. `llm`.
    ///   - model: The model that it came from, where one had a part in it.
    ///   - date: When.
    /// - Returns: the suggestion's number; `nil` if the item already has that section, or a person dismissed the same suggestion before.
    /// - Throws: `UnknownSection`; `NoCorrections`; `CorrectionStoreError`.
    @discardableResult
    public func suggest(
      _ item: String, to section: String, confidence: Double? = nil, by: String, model: String? = nil, at date: Date = Date()
    ) throws -> Suggestion.ID? {
      let place = try place(named: section)
      let present = categorize(item).section
      if present == place.section { return nil }
      let suggestion = StoredSuggestion(
        store: taxonomy.store, item: item, from: present, to: place.section, shelf: place.shelf, confidence: confidence,
        origin: Origin(proposer: by, model: model, time: date.milliseconds))
      return try change { corrections throws(CorrectionStoreError) in try corrections.propose([suggestion]).first?.waiting }
    }

    /// The suggestions for this store that wait for a person, oldest first.
    ///
    /// - Throws: `NoCorrections`; `CorrectionStoreError`.
    public func suggestions() throws -> [Suggestion] {
      try read { corrections throws(CorrectionStoreError) in try corrections.suggestions() }
        .filter { $0.suggestion.store == taxonomy.store }
        .map { numbered in
          let suggestion = numbered.suggestion
          return Suggestion(
            id: numbered.id, item: suggestion.item, from: suggestion.from, to: suggestion.to, confidence: suggestion.confidence,
            by: suggestion.origin.proposer, model: suggestion.origin.model, date: Date(milliseconds: suggestion.origin.time))
        }
    }

    /// Accepts a suggestion: it is a correction from then on.
    ///
    /// - Parameters:
    ///   - id: The suggestion's number.
    ///   - section: A section other than the proposed one, if the person knows better. The correction is then theirs, not the model's.
    ///   - by: Who accepts it.
    ///   - date: When.
    /// - Returns: what to give `undo`.
    /// - Throws: `UnknownSection`; `NoCorrections`; `CorrectionStoreError`, also for a suggestion that does not wait.
    @discardableResult
    public func accept(_ id: Suggestion.ID, as section: String? = nil, by: String? = nil, at date: Date = Date()) throws -> Action
    {
      try decide(id, .accept, section: try section.map { try place(named: $0).section }, by, date)
    }

    /// Dismisses a suggestion: the same is not proposed again.
    ///
    /// - Returns: what to give `undo`.
    /// - Throws: `NoCorrections`; `CorrectionStoreError`, also for a suggestion that does not wait.
    @discardableResult
    public func dismiss(_ id: Suggestion.ID, at date: Date = Date()) throws -> Action {
      try decide(id, .dismiss, section: nil, nil, date)
    }

    private func decide(_ id: Int, _ verdict: CorrectionStore.Verdict, section: String?, _ by: String?, _ date: Date) throws
      -> Action
    {
      try change { corrections throws(CorrectionStoreError) in
        Action(number: try corrections.decide([id], verdict, section: section, by: by, time: date.milliseconds).action)
      }
    }
  }
#endif
