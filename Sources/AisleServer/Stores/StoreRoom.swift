import AisleCatalog
import AisleCore
import AisleFiles
import NIOPosix
import Synchronization

/// The stores, opened when they are first asked for, and anew when their files have changed.
final class StoreRoom: Sendable {
  private let settled: SettledChain
  private let warn: @Sendable (String) -> Void
  private let open = Mutex<[String: ServedStore]>([:])
  private let listed = Mutex<[Outline]?>(nil)

  /// - Parameter warn: Receives a one-line message about what is wrong and does not end the work.
  /// - Throws: what `SettledChain.open` throws for the standard store.
  init(_ settled: SettledChain, warn: @escaping @Sendable (String) -> Void) throws {
    self.settled = settled
    self.warn = warn
    _ = try opened(settled.store.value)
  }

  /// The store that is asked where none is named.
  var standard: String { settled.store.value }
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
  /// - Parameter id: Its id; the standard store where it is `nil`.
  /// - Throws: `Problem` for one that is not there, or has errors.
  func store(_ id: String?) throws -> ServedStore {
    if let store = known(id) { return store }
    let id = id ?? standard
    guard ids.contains(id) else {
      let hint = DidYouMean.hint(id, among: ids)
      let list = ids.joined(separator: ", ")
      throw Problem(.notFound, "no store `\(id.prefix(100))`\(hint.isEmpty ? "; there is \(list)" : hint)")
    }
    do { return try opened(id) } catch { throw Problem(.internalServerError, "\(error)") }
  }

  /// A store that is open already.
  func known(_ id: String?) -> ServedStore? { open.withLock { $0[id ?? standard] } }

  private func opened(_ id: String) throws -> ServedStore {
    let store = try ServedStore(settled.open(store: id, warn: warn))
    open.withLock { $0[id] = store }
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
      for id in open.withLock({ Array($0.keys) }) {
        do {
          // Indexing a folder anew takes a second.
          _ = try await NIOThreadPool.singleton.runIfActive { [self] in try opened(id) }
          changed(id)
        } catch { warn("\(error); going on with \(id) as it was") }
      }
    }
  }
}
