public import AisleCore
package import FlatFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Keeps indexed stores, so that a run on one item does not have to read and index thousands of keywords.
///
/// A cached store is a `FlatFile`, used only when all of it is as it was saved, and its fingerprint says that neither the store's files nor
/// the tool changed since. Nothing depends on it: whatever goes wrong with the cache, the store is read from its files.
public struct StoreCache: Sendable {
  /// The folder of cached stores.
  public let folder: String

  private static let magic: UInt64 = 0x3331_5845_4C53_4941  // "AISLEX13"
  /// A file changed this recently may change again without a new time stamp, so it is not cached yet.
  private static let settlingSeconds = 2
  private static let maximumAge = 30 * 24 * 60 * 60
  private static let maximumLeftoverAge = 60 * 60

  /// Keeps cached stores in a folder, which is created when the first one is written.
  public init(folder: String) { self.folder = folder }

  /// The user's cache: `$AISLE_CACHE`, or `aisle` in `$XDG_CACHE_HOME` or `~/.cache`; `nil` for `AISLE_CACHE=off` or without a home
  /// folder.
  public static var standard: StoreCache? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } }
    if let named = variable("AISLE_CACHE") { return named == "off" ? nil : StoreCache(folder: named) }
    if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") { return StoreCache(folder: cache + "/aisle") }
    return variable("HOME").map { StoreCache(folder: $0 + "/.cache/aisle") }
  }

  /// The identity of a cached store.
  public struct Key: Sendable {
    /// The file's name in the cache.
    let name: String
    /// Stands for the contents of all files that the store comes from, and for the tool.
    let fingerprint: UInt64
    /// Whether the files have not changed for a while.
    let isSettled: Bool
  }

  /// The key of a store in a folder; `nil` if its files cannot be examined, or if they are read with changed contents.
  ///
  /// - Complexity: One `stat` per file.
  public static func key(store: String, in folder: TaxonomyFolder) -> Key? {
    key(store: store, in: folder, tool: "/proc/self/exe")
  }

  static func key(store: String, in folder: TaxonomyFolder, tool: String) -> Key? {
    guard folder.changes.isEmpty, let resolved = FileReader.resolved(folder.path) else { return nil }
    var hash = FileStamp()
    hash.add(folder.path)
    hash.add(resolved)
    hash.add(Version.number)
    var newest = 0
    for layer in [folder] + folder.below {
      hash.add(layer.path)
      let stores = folder.isLayered(store) ? layer.stores : [store]
      for file in stores.map({ $0 + ".yaml" }) + ["moves.txt", "spellings.txt", "words.txt", "weights.txt"] {
        newest = max(newest, hash.add(file: layer.path + "/" + file))
      }
      newest = max(newest, hash.add(filesIn: layer.path + "/shelves"))
      newest = max(newest, hash.add(filesIn: layer.path + "/patterns"))
    }
    let languages = folder.languages(of: store)
    for language in LanguageChoice.read(languages) {
      hash.add(language)
      guard let path = folder.languages.folder(of: language) else { continue }
      hash.add(path)
      newest = max(newest, hash.add(filesIn: path), hash.add(filesIn: path + "/shelves"))
    }
    _ = hash.add(file: tool)
    return Key(
      name: name(store, from: [resolved, folder.path] + languages, for: tool), fingerprint: hash.value,
      isSettled: newest < time(nil) &- settlingSeconds)
  }

  /// The file of a store from some place. Every tool has its own, so that two in turn need not index anew each time; a tool that takes
  /// another's place takes its file too.
  private static func name(_ store: String, from place: [String], for tool: String) -> String {
    var stamp = FileStamp()
    for part in place + [FileReader.resolved(tool) ?? ""] { stamp.add(part) }
    return "\(store)-\(String(stamp.value, radix: 16)).index"
  }

  /// A cached store's file, or `nil` if there is no usable one.
  ///
  /// - Parameters:
  ///   - later: The number of a block that is not checked yet; see `FlatFile.isSound`.
  ///   - report: Receives a one-line message if it is damaged.
  package func load(_ key: Key, later: Int? = nil, report: (String) -> Void = { _ in }) -> FlatFile? {
    do {
      let file = try FlatFile(path(of: key), magic: Self.magic, later: later)
      return file.notes == [key.fingerprint] ? file : nil
    } catch {
      if error == .damaged { report(Self.damaged(path(of: key))) }
      return nil
    }
  }

  /// Saves a store anew of which a block proved damaged when it was needed.
  package func replace(_ key: Key, with blocks: [FlatBlock], report: (String) -> Void) {
    report(Self.damaged(path(of: key)))
    save(blocks, as: key)
  }

  private func path(of key: Key) -> String { "\(folder)/\(key.name)" }

  private static func damaged(_ path: String) -> String { "\(path): damaged; rebuilt from the store's files" }

  /// A file of the cache, checked.
  package struct CheckedFile {
    /// Its path.
    package let path: String
    /// Its size in bytes, or what is wrong with it.
    package let size: Result<Int, FlatFileFault>
  }

  /// Checks all of the stores that are cached, those that another version of the tool made excepted.
  ///
  /// - Complexity: O(bytes of all of them).
  package func check() -> [CheckedFile] {
    var checked: [CheckedFile] = []
    for name in FileReader.list(folder) ?? [] where Self.isOwn(name) {
      let path = "\(folder)/\(name)"
      do throws(FlatFileFault) {
        checked.append(CheckedFile(path: path, size: .success(try PagedFile.check(path, magic: Self.magic))))
      } catch {
        if error != .foreign, error != .missing { checked.append(CheckedFile(path: path, size: .failure(error))) }
      }
    }
    return checked
  }

  /// Saves a store's blocks, at most 60; does nothing if that is not possible.
  public func save(_ blocks: [FlatBlock], as key: Key) {
    guard key.isSettled else { return }
    makeFolder()
    removeOld()
    FlatFile.save(blocks, notes: [key.fingerprint], magic: Self.magic, to: path(of: key))
  }

  private func makeFolder() {
    if let slash = folder.lastIndex(of: "/") { mkdir(String(folder[..<slash]), 0o700) }
    mkdir(folder, 0o700)
  }

  /// Removes the stores that nobody cached anew for a month, and what processes left behind that ended while they wrote.
  private func removeOld() {
    for name in FileReader.list(folder) ?? [] {
      let path = "\(folder)/\(name)"
      if Self.isOwn(name), isStore(path) {
        _ = FlatFile.remove(path, olderThan: Self.maximumAge)
      } else if name.hasPrefix("."), name.hasSuffix(".new"), Self.isOwn(String(name.dropFirst().dropLast(4))) {
        _ = FlatFile.remove(path, olderThan: Self.maximumLeftoverAge)
      }
    }
  }

  /// Whether a file is named as a `Key` is; the folder may be one that others use too.
  private static func isOwn(_ name: String) -> Bool {
    guard name.hasSuffix(".index"), let dash = name.lastIndex(of: "-") else { return false }
    return UInt64(name.dropLast(".index".count)[name.index(after: dash)...], radix: 16) != nil
  }

  /// Whether a file begins as the stores of this version or another do.
  private func isStore(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start: UInt64 = 0
    let versionless: UInt64 = 0xFFFF_FFFF_FFFF  // "AISLEX".
    return read(descriptor, &start, 8) == 8 && start & versionless == Self.magic & versionless
  }
}
