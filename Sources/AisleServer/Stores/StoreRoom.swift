import AisleCatalog
import AisleCore
import AisleFiles
import NIOPosix
import Synchronization

/// The stores, opened when they are first asked for, and anew when their files have changed.
final class StoreRoom: Sendable {
  private let settled: SettledChain
  private let warn: @Sendable (String) -> Void
  private let open = Mutex<[Key: ServedStore]>([:])
  /// What tells the language of a list at a store, where somebody asked for that.
  private let detectors = Mutex<[String: LanguageDetector]>([:])
  private let listed = Mutex<[Outline]?>(nil)
  /// Held while a store is opened, so that requests that come together open it once.
  private let opening = Mutex(())

  /// A store that is open.
  private struct Key: Hashable {
    let id: String
    /// The ids of the languages that it is read in, with commas between them; `nil` for those of its file or of the server's options.
    var language: String?
  }

  /// The most stores that are open in languages of requests, since each takes some megabytes.
  private static let mostInLanguages = 24

  /// - Parameter warn: Receives a one-line message about what is wrong and does not end the work.
  /// - Throws: what `SettledChain.open` throws for the standard store.
  init(_ settled: SettledChain, warn: @escaping @Sendable (String) -> Void) throws {
    self.settled = settled
    self.warn = warn
    _ = try opened(Key(id: settled.store.value))
    if asksLists(nil) { try addDetector(settled.store.value) }
  }

  /// The store that is asked where none is named.
  var standard: String { settled.store.value }
  /// Whether each list says by its words which language it is in, given what a request says of its language.
  func asksLists(_ language: String?) -> Bool {
    language.map { $0 == LanguageChoice.auto } ?? settled.locator.languages.isPerList
  }

  /// All stores.
  var ids: [String] { settled.locator.stores }

  /// A store's name, and how many sections it has.
  struct Outline {
    let id: String
    let name: String
    let sections: Int
  }

  /// What there is, without opening it.
  var outlines: [Outline] {
    if let known = listed.withLock({ $0 }) { return known }
    let found = ids.compactMap { id in
      settled.locator.outline(of: id).map { Outline(id: id, name: $0.name, sections: $0.sections) }
    }
    listed.withLock { $0 = found }
    return found
  }

  /// A store.
  ///
  /// - Parameters:
  ///   - id: Its id; the standard store where it is `nil`.
  ///   - language: The ids of the languages that it is read in, with commas between them, or `auto`.
  ///   - items: The list that it is asked about, which may say the language; `nil` for the store's own.
  /// - Throws: `Problem` for a store or a language that is not there, or has errors.
  func store(_ id: String?, in language: String? = nil, for items: [String]? = nil) throws -> ServedStore {
    if let store = known(id, in: language, for: items) { return store }
    let id = id ?? standard
    guard ids.contains(id) else {
      let hint = DidYouMean.hint(id, among: ids)
      let list = ids.joined(separator: ", ")
      throw Problem(.notFound, "no store `\(id.prefix(100))`\(hint.isEmpty ? "; available: \(list)" : hint)")
    }
    do {
      return try opening.withLock { _ in
        if items != nil, asksLists(language) { try addDetector(id) }
        let key = key(id, language, items) ?? Key(id: id)
        // Somebody else may have opened it meanwhile.
        return try open.withLock { $0[key] } ?? opened(key)
      }
    } catch let problem as Problem { throw problem } catch { throw Problem(.internalServerError, "\(error)") }
  }

  /// The same; one that must be opened first, which may take a second, holds up no thread that answers others.
  func readyStore(_ id: String?, in language: String? = nil, for items: [String]? = nil) async throws -> ServedStore {
    if let store = known(id, in: language, for: items) { return store }
    return try await NIOThreadPool.singleton.runIfActive { [self] in try store(id, in: language, for: items) }
  }

  /// A store that is open already.
  func known(_ id: String?, in language: String? = nil, for items: [String]? = nil) -> ServedStore? {
    guard let key = key(id ?? standard, language, items) else { return nil }
    return open.withLock { $0[key] }
  }

  /// The store for a list, in the language of its words where each list says that; `nil` where nothing can tell it yet.
  private func key(_ id: String, _ language: String?, _ items: [String]?) -> Key? {
    guard asksLists(language) else { return Key(id: id, language: language) }
    guard let items else { return Key(id: id) }
    guard let detector = detectors.withLock({ $0[id] }) else { return nil }
    let found = detector.language(of: items)
    return Key(id: id, language: found == detector.languages.first ? nil : found)
  }

  private func addDetector(_ id: String) throws {
    if detectors.withLock({ $0[id] != nil }) { return }
    let detector = try settled.locator.speaking([LanguageChoice.auto]).detector(for: id) ?? LanguageDetector([Language.english])
    detectors.withLock { $0[id] = detector }
  }

  private func opened(_ key: Key) throws -> ServedStore {
    let store = try ServedStore(settled(in: key.language).open(store: key.id, warn: warn))
    open.withLock { open in
      if key.language != nil, open.keys.count(where: { $0.language != nil }) >= Self.mostInLanguages,
        let other = open.keys.first(where: { $0.language != nil })
      {
        open[other] = nil
      }
      open[key] = store
    }
    return store
  }

  private func settled(in language: String?) throws -> SettledChain {
    guard let language else { return settled }
    var settled = settled
    let ids = language.split(separator: ",", omittingEmptySubsequences: false).map { String($0.prefix(100)) }
    do { settled.locator = try settled.locator.speaking(ids, namedBy: "language") } catch {
      throw Problem(.unprocessableContent, "`language`: \(error.reason)")
    }
    return settled
  }

  // MARK: Following the files

  /// The ids of the languages that open stores are read in.
  private var languages: [String] { Set(open.withLock { $0.values.flatMap(\.taxonomy.languages) }.map(\.id)).sorted() }

  /// The files as they were when they were looked at last.
  struct Sight {
    private let locator: StoreLocator
    private var languages: [String]
    private var stamp: UInt64

    init(_ locator: StoreLocator, _ languages: [String]) {
      (self.locator, self.languages, stamp) = (locator, languages, Self.stamp(locator, languages))
    }

    /// Looks again, from now on also at the files of these languages: that they are read is no change of a file.
    mutating func hasChanged(_ languages: [String]) -> Bool {
      let (before, now) = (stamp, Self.stamp(locator, self.languages))
      stamp = languages == self.languages ? now : Self.stamp(locator, languages)
      self.languages = languages
      return now != before
    }

    private static func stamp(_ locator: StoreLocator, _ languages: [String]) -> UInt64 {
      WatchedFiles(locator: locator, corpus: [], languages: languages).stamp
    }
  }

  /// How often the files are looked at.
  private static let pause = Duration.seconds(1)

  /// Opens anew what has changed, until the task is cancelled. A store with errors stays as it was.
  ///
  /// - Parameter changed: Hears of each store that was opened anew.
  func follow(_ changed: (String) -> Void) async {
    guard case .folder = settled.locator.source else { return }
    var sight = Sight(settled.locator, languages)
    while (try? await Task.sleep(for: Self.pause)) != nil {
      if !sight.hasChanged(languages) { continue }
      listed.withLock { $0 = nil }
      detectors.withLock { $0.removeAll() }
      for key in open.withLock({ Array($0.keys) }) {
        do {
          // Indexing a folder anew takes a second.
          _ = try await NIOThreadPool.singleton.runIfActive { [self] in try opened(key) }
          changed(key.id)
        } catch { warn("\(error); keeping the previous version of \(key.id)") }
      }
    }
  }
}
