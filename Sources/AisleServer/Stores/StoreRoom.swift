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
  /// What tells the language of a list at a store; empty where nobody asks for that.
  private let detectors = Mutex<[String: LanguageDetector]>([:])
  private let listed = Mutex<[Outline]?>(nil)

  /// A store that is open, in its own language or in that of a list.
  private struct Key: Hashable {
    let id: String
    var language: String?
  }

  /// - Parameter warn: Receives a one-line message about what is wrong and does not end the work.
  /// - Throws: what `SettledChain.open` throws for the standard store.
  init(_ settled: SettledChain, warn: @escaping @Sendable (String) -> Void) throws {
    self.settled = settled
    self.warn = warn
    _ = try opened(Key(id: settled.store.value))
    try addDetector(settled.store.value)
  }

  /// The store that is asked where none is named.
  var standard: String { settled.store.value }
  /// Whether each list says by its words which language it is in.
  var isPerList: Bool { settled.locator.languages.isPerList }
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
  ///   - items: The list that it is asked about, which may say the language; `nil` for the store's own.
  /// - Throws: `Problem` for one that is not there, or has errors.
  func store(_ id: String?, for items: [String]? = nil) throws -> ServedStore {
    if let store = known(id, for: items) { return store }
    let id = id ?? standard
    guard ids.contains(id) else {
      let hint = DidYouMean.hint(id, among: ids)
      let list = ids.joined(separator: ", ")
      throw Problem(.notFound, "no store `\(id.prefix(100))`\(hint.isEmpty ? "; there is \(list)" : hint)")
    }
    do {
      try addDetector(id)
      return try opened(key(id, items))
    } catch { throw Problem(.internalServerError, "\(error)") }
  }

  /// A store that is open already.
  func known(_ id: String?, for items: [String]? = nil) -> ServedStore? {
    let id = id ?? standard
    if settled.locator.languages.isPerList, items != nil, detectors.withLock({ $0[id] == nil }) { return nil }
    return open.withLock { $0[key(id, items)] }
  }

  /// The store for a list, in the language of its words where each list says that.
  private func key(_ id: String, _ items: [String]?) -> Key {
    guard let items, let detector = detectors.withLock({ $0[id] }) else { return Key(id: id) }
    let language = detector.language(of: items)
    return Key(id: id, language: language == detector.languages.first ? nil : language)
  }

  private func addDetector(_ id: String) throws {
    guard settled.locator.languages.isPerList, detectors.withLock({ $0[id] == nil }) else { return }
    let detector = try settled.locator.detector(for: id) ?? LanguageDetector([Language.english])
    detectors.withLock { $0[id] = detector }
  }

  private func opened(_ key: Key) throws -> ServedStore {
    var settled = settled
    if let language = key.language { settled.locator = try settled.locator.speaking([language]) }
    let store = try ServedStore(settled.open(store: key.id, warn: warn))
    open.withLock { $0[key] = store }
    return store
  }

  // MARK: Following the files

  /// A number that changes when a file changes.
  private var stamp: UInt64 { WatchedFiles(locator: settled.locator, corpus: []).stamp }

  /// How often the files are looked at.
  private static let pause = Duration.seconds(1)

  /// Opens anew what has changed, until the task is cancelled. A store with errors stays as it was.
  ///
  /// - Parameter changed: Hears of each store that was opened anew.
  func follow(_ changed: (String) -> Void) async {
    guard case .folder = settled.locator.source else { return }
    var seen = stamp
    while (try? await Task.sleep(for: Self.pause)) != nil {
      let now = stamp
      if now == seen { continue }
      seen = now
      listed.withLock { $0 = nil }
      detectors.withLock { $0.removeAll() }
      for key in open.withLock({ Array($0.keys) }) {
        do {
          // Indexing a folder anew takes a second.
          _ = try await NIOThreadPool.singleton.runIfActive { [self] in try opened(key) }
          changed(key.id)
        } catch { warn("\(error); going on with \(key.id) as it was") }
      }
    }
  }
}
