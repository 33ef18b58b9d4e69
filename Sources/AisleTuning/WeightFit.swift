public import AisleCore
public import AisleEvaluation
public import AisleFiles
public import KeywordStrategy

/// Fits a store's `weights.txt` on the `tune` split of a corpus: first which of several keywords wins, then how likely it is right.
///
/// The same corpus and store give the same weights. Items of `holdout` are never used.
public struct WeightFit: StoreFit {
  /// A changed weight.
  public struct Change: Sendable, Hashable {
    /// Which.
    public let setting: PhraseWeights.Setting
    /// How many items of `tune` the change wins and loses.
    public let won: Int, lost: Int
    /// The p-value of the change: McNemar's exact test.
    public let pValue: Double
  }

  /// The weights before the fit.
  public let before: PhraseWeights
  /// The weights after it.
  public let after: PhraseWeights
  /// The changed weights.
  public let changes: [Change]
  /// How many items it is fitted on.
  public let fittedCount: Int
  /// The corpus files that these are from, without `.tsv`; empty for all.
  public let files: [String]

  /// The settings that it fits.
  public var settings: [PhraseWeights.Setting] {
    PhraseWeights.Setting.allCases.filter { setting in
      switch setting {
      case .weight, .chance, .odds: true
      case .voice, .fittedOn: false
      }
    }
  }
  /// What it is fitted on, in words.
  public var items: String { "items of tune that a keyword decides" }

  /// The confidences of all decided items of `tune`, each from a fit on the other four fifths of the items.
  public let crossValidated: FitFigures

  /// How many parts the items are cut into to try a fit on what it has not seen.
  private static let folds: UInt64 = 5

  /// Fits.
  ///
  /// - Parameter keywords: The keyword strategy of the taxonomy, in phrase mode.
  /// - Throws: `TuningError` if `fitted on` names a file that the corpus does not have, or if no item is decided.
  /// - Complexity: About a hundred passes over the items that contain several keywords.
  public init(
    _ keywords: KeywordStrategy, of taxonomy: Taxonomy, on corpus: Corpus, _ expectations: Expectations
  ) throws(TuningError) {
    before = taxonomy.weights
    let items = FitItems(corpus, expectations, in: taxonomy, split: .tune)
    let choice = FitChoice(keywords: keywords, items: items.contested(keywords)).search(from: before)
    changes = choice.changes.map { Change(setting: $0.setting, won: $0.won, lost: $0.lost, pValue: $0.pValue) }
    files = before.files(.phrases)
    let meant = try corpus.files(named: files, by: .fittedOn(.phrases))
    var samples: [Sample] = []
    for (entry, decision, isRight) in items.answers(keywords.weighing(by: choice.weights, numbersEvidence: true)) {
      guard let decision else { continue }
      let fold = FNV1a.hash(Normalizer.normalize(corpus.item(entry)).utf8) % Self.folds
      samples.append(
        Sample(
          evidence: PhraseEvidence(numbered: decision.confidence), isRight: isRight, counts: meant.contains(entry.file),
          fold: fold))
    }
    fittedCount = samples.count { $0.counts }
    if fittedCount == 0 {
      throw TuningError(
        "the files to fit on have no `tune` item that a keyword decides; extend the corpus, or change `fitted on` in weights.txt")
    }
    after = Self.fit(samples, from: choice.weights)
    var answers: [FitFigures.Answer] = []
    for fold in 0..<Self.folds {
      let weights = Self.fit(samples.filter { $0.fold != fold }, from: choice.weights)
      answers += samples.filter { $0.fold == fold }.map {
        FitFigures.Answer(confidence: Float($0.evidence.confidence(weights)), isRight: $0.isRight)
      }
    }
    crossValidated = FitFigures(answers)
  }

  /// A decided item.
  private struct Sample {
    let evidence: PhraseEvidence
    let isRight: Bool
    /// Whether chances and odds are fitted on it.
    let counts: Bool
    let fold: UInt64
  }

  private static func fit(_ samples: [Sample], from weights: PhraseWeights) -> PhraseWeights {
    var counts = FitCounts()
    for sample in samples where sample.counts { counts.add(sample.evidence, isRight: sample.isRight) }
    return FitRegression.fit(counts, from: weights)
  }
}

/// What was fitted on a corpus.
public protocol StoreFit: Sendable {
  /// The weights before the fit and after it.
  var before: PhraseWeights { get }
  var after: PhraseWeights { get }
  /// The settings that it fits.
  var settings: [PhraseWeights.Setting] { get }
  /// What it is fitted on, and how many of them: "items of tune …".
  var items: String { get }
  var fittedCount: Int { get }
  /// The corpus files that these are from, without `.tsv`; empty for all.
  var files: [String] { get }
}

extension Corpus {
  /// The places of the files that a setting of `weights.txt` names; all for no name.
  func files(named names: [String], by setting: PhraseWeights.Setting) throws(TuningError) -> Set<UInt16> {
    let known = files.map(Corpus.name)
    for name in names where !known.contains(name) {
      let hint = DidYouMean.hint(name, among: known)
      throw TuningError(
        "`\(setting.name)` in weights.txt names the corpus file `\(name)`, which is not in this corpus\(hint)"
          + (hint.isEmpty
            ? "; to fit on its files, write `\(setting.name) = \(known.joined(separator: ", "))` in the weights.txt of your taxonomies folder"
            : ""))
    }
    return Set(known.indices.filter { names.isEmpty || names.contains(known[$0]) }.map { UInt16($0) })
  }

  /// A file's name without its folder and `.tsv`.
  public static func name(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".tsv") ? String(file.dropLast(4)) : file
  }
}
