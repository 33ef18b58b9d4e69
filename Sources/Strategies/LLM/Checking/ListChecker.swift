public import AisleCore
import HTTPTransport
import Synchronization

/// Lets a language model check the sections of the items on a list.
public final class ListChecker: Sendable {
  /// An item of a list.
  public struct Entry: Sendable, Hashable {
    /// The item as it was written.
    public let item: String
    /// Its section.
    public let section: String
    /// Whether somebody or something has put it there, rather than that nothing knows better; else the model is not told the section.
    public let isPlaced: Bool

    /// Makes an entry.
    public init(_ item: String, section: String, isPlaced: Bool = true) {
      self.item = item
      self.section = section
      self.isPlaced = isPlaced
    }
  }

  /// The model's verdict on an item's section.
  public enum Verdict: Sendable, Hashable {
    /// The section is right.
    case agrees
    /// It should be in another section of the store.
    case differs(String)
    /// It should be in a section that the store does not have.
    case invents(String)
    /// It may be in another section, but the model only guesses.
    case doubts
    /// There is no answer.
    case unanswered(ModelAnswer.Abstention)
  }

  /// The key under which answers are kept.
  public static func context(_ settings: ModelSettings, _ taxonomy: Taxonomy) -> AnswerContext {
    AnswerContext(settings, Prompt(taxonomy, task: .check, allowsNewSections: settings.allowsNewSections))
  }

  /// Answers as they came in, by their questions' keys.
  private final class Arrivals: Sendable {
    let answers = Mutex<[String: ModelAnswer]>([:])
  }

  private let asker: Asker
  private let sendsNeighbors: Bool
  private let arrivals: Arrivals

  /// Makes a checker; nothing is sent until there is an item to ask about. The parameters are those of `LanguageModelStrategy`.
  public init(
    _ settings: ModelSettings, taxonomy: Taxonomy, cache: (any AnswerCache)? = nil, log: (any RequestLog)? = nil,
    interruption: Int32? = nil, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    sendsNeighbors = settings.sendsNeighbors
    let arrivals = Arrivals()
    self.arrivals = arrivals
    asker = Asker(
      settings, Prompt(taxonomy, task: .check, allowsNewSections: settings.allowsNewSections),
      fallback: taxonomy[taxonomy.fallback].name, cache: cache, log: log, interruption: interruption, remark: remark,
      arrived: { new in
        // What an interrupted request brought is no answer either.
        let sections = new.filter { if case .none = $0.value { false } else { true } }
        arrivals.answers.withLock { $0.merge(sections) { $1 } }
      })
  }

  /// What it has spent, and the results.
  public var report: ModelReport { asker.ledger.current }

  /// A question for each entry; `nil` where there is nothing to ask. Short items that stand nowhere have their neighbors.
  private func questions(about entries: [Entry]) -> [Question?] {
    var questions = entries.map { Question(Array($0.item.utf8)[...], present: $0.isPlaced ? $0.section : "") }
    let short = !sendsNeighbors ? [] : entries.indices.filter { !entries[$0].isPlaced && questions[$0]?.isShort == true }
    guard !short.isEmpty, let neighbors = Neighbors(of: short, in: entries.indices, item: { questions[$0] }) else {
      return questions
    }
    for place in short { questions[place]?.neighbors = neighbors }
    return questions
  }

  /// The model's verdict on each item, in order. Each item is asked about once per section.
  ///
  /// - Throws: `CancellationError`.
  @concurrent
  public func check(_ entries: [Entry]) async throws -> [Verdict] {
    let questions = questions(about: entries)
    var seen: Set<String> = []
    let answers = try await asker.answers(to: questions.compactMap { $0 }.filter { seen.insert($0.key).inserted })
    return verdicts(on: entries, questions, answers, otherwise: .missing)
  }

  /// The verdicts so far, after a check was interrupted; an item without one is `unanswered(.interrupted)`.
  public func verdictsSoFar(on entries: [Entry]) -> [Verdict] {
    let questions = questions(about: entries)
    let answers = Asker.Answers(byKey: arrivals.answers.withLock { $0 })
    return verdicts(on: entries, questions, answers, otherwise: .interrupted)
  }

  private func verdicts(
    on entries: [Entry], _ questions: [Question?], _ answers: Asker.Answers, otherwise reason: ModelAnswer.Abstention
  ) -> [Verdict] {
    let verdicts = zip(entries, questions).map { entry, question -> Verdict in
      guard let question else { return .unanswered(.missing) }
      switch answers.byKey[question.key] ?? .none(reason) {
      case .section(let section): return section == entry.section ? .agrees : .differs(section)
      case .guess(let section): return section == entry.section ? .agrees : .doubts
      case .newSection(let section): return section == entry.section ? .agrees : .invents(section)
      case .none(let reason): return .unanswered(reason)
      }
    }
    asker.ledger.change { report in
      for (verdict, question) in zip(verdicts, questions) {
        if case .unanswered(let reason) = verdict {
          report.abstained[reason, default: 0] += 1
        } else {
          report.decided += 1
          if let question, answers.cached.contains(question.key) { report.cached += 1 }
        }
      }
    }
    return verdicts
  }
}
