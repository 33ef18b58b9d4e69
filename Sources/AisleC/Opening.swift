import AisleCore
import AisleKit
import CAisle
import CorrectionMatching
import FlatFiles
import KeywordStrategy

extension OpenStore {
  /// Opens what C asks for.
  static func open(_ options: UnsafePointer<aisle_options>?) throws(Failure) -> OpenStore {
    guard let options else { return OpenStore(try opened(store: nil, file: nil), first: []) }
    let asked = try Sized.read(options, named: "aisle_options")
    let (store, file) = (asked.store.map { String(cString: $0) }, asked.file.map { String(cString: $0) })
    let opened = try opened(store: store, file: file)
    if let language = asked.language.map({ String(cString: $0) }) { try check(language, opened.taxonomy) }
    guard let path = asked.corrections.map({ String(cString: $0) }) else { return OpenStore(opened, first: []) }
    return OpenStore(opened, first: try learned(opened.taxonomy, path))
  }

  /// Looks whether a store is read in languages: which ones was settled when it was packed.
  private static func check(_ language: String, _ taxonomy: Taxonomy) throws(Failure) {
    let known = taxonomy.languages.isEmpty ? ["en"] : taxonomy.languages.map(\.id)
    for id in language.split(separator: ",", omittingEmptySubsequences: false).map(String.init) where !known.contains(id) {
      throw Failure(
        AISLE_UNSUPPORTED,
        "the store `\(taxonomy.store)` supports \(known.joined(separator: ", ")), not `\(id)`; run `aisle stores pack --language` and give its file"
      )
    }
  }

  /// The strategy that answers by corrections; none where there are none.
  private static func learned(_ taxonomy: Taxonomy, _ path: String) throws(Failure) -> [LocalChain.Link] {
    guard let corrections = try CorrectionsFile.read(path) else { return [] }
    return [LocalChain.Link(LearnedStrategy(taxonomy, corrections))]
  }

  private static func opened(store: String?, file: String?) throws(Failure) -> OpenedStore {
    guard let file else {
      do { return try OpenedStore.open(store ?? "kroger") } catch {
        let hint = "\(error); for a store of your own, run `aisle stores pack` and give its file"
        throw Failure(AISLE_UNKNOWN_STORE, hint)
      }
    }
    let opened = try packed(file)
    if let store, store != opened.taxonomy.store {
      throw Failure(AISLE_UNKNOWN_STORE, "\(file): holds the store `\(opened.taxonomy.store)`, not `\(store)`")
    }
    return opened
  }

  private static func packed(_ path: String) throws(Failure) -> OpenedStore {
    let pack: PackedStore
    do { pack = try PackedStore(path) } catch { throw Failure(AISLE_BAD_FILE, error.description) }
    guard let opened = OpenedStore(packed: pack.memory, blocks: pack.blocks) else {
      throw Failure(AISLE_BAD_FILE, PackedStore.Fault.damaged(path).description)
    }
    return opened
  }
}

/// Structs of C's that begin with their size, so that they can grow.
enum Sized {
  /// No struct is ever larger: who says so did not set the size.
  private static let maximumSize = 4096

  /// Reads a struct. What a newer caller has besides must be zero: it would ask for something that is not there.
  static func read<Struct: BitwiseCopyable>(_ pointer: UnsafePointer<Struct>, named name: String) throws(Failure) -> Struct {
    let raw = UnsafeRawPointer(pointer)
    let (size, known) = (raw.loadUnaligned(as: Int.self), MemoryLayout<Struct>.size)
    guard size >= known, size <= maximumSize else {
      throw Failure(AISLE_INVALID_ARGUMENT, "`size` of \(name) is \(size); set it to sizeof(\(name)), here \(known)")
    }
    for place in known..<size where raw.load(fromByteOffset: place, as: UInt8.self) != 0 {
      throw Failure(AISLE_UNSUPPORTED, "\(name) asks for something that this library is too old for; update libaisle")
    }
    return raw.loadUnaligned(as: Struct.self)
  }
}
