import AisleCore
import AisleKit
public import CAisle

// What `aisle.h` declares, in its order and with its words: it says what each function does. All that a function does is done in the gate:
// not only locks of ours must be open when a process forks, but those of Swift's runtime and of the allocator too.

@inline(__always)
func inside<Result>(_ body: () -> Result) -> Result {
  aisle_gate_enter()
  defer { aisle_gate_leave() }
  return body()
}

/// The texts of the library's own.
private enum Own {
  static let texts = CTexts([Version.number])
  static let stores = CTexts(Taxonomy.builtInStores)
}

/// See `aisle.h`.
@_cdecl("aisle_abi_version")
public func aisleABIVersion() -> Int32 { AISLE_ABI_VERSION }

/// See `aisle.h`.
@_cdecl("aisle_version")
public func aisleVersion() -> UnsafePointer<CChar>? { inside { Own.texts[0] } }

/// See `aisle.h`.
@_cdecl("aisle_open")
public func aisleOpen(
  _ options: UnsafePointer<aisle_options>?, _ store: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<aisle_error>?
) -> Int32 {
  store?.pointee = nil
  return inside {
    Failure.telling(error) { () throws(Failure) in
      guard let store else { throw Failure(AISLE_INVALID_ARGUMENT, "`store` is NULL; give the address of a pointer") }
      store.pointee = try OpenStore.open(options).handle()
    }
  }
}

/// See `aisle.h`.
@_cdecl("aisle_close")
public func aisleClose(_ store: OpaquePointer?) {
  if let store { inside { OpenStore.close(store) } }
}

/// See `aisle.h`.
@_cdecl("aisle_store_count")
public func aisleStoreCount() -> Int32 { inside { Int32(Own.stores.count) } }

/// See `aisle.h`.
@_cdecl("aisle_store_id")
public func aisleStoreID(_ index: Int32) -> UnsafePointer<CChar>? { inside { Own.stores[index] } }

// MARK: Names

private func text(
  _ store: OpaquePointer?, _ index: Int32, _ texts: (OpenStore.Names) -> CTexts
) -> UnsafePointer<CChar>? {
  inside { store.flatMap { OpenStore.with($0) { texts($0.names)[index] } } }
}

private func count(_ store: OpaquePointer?, _ texts: (OpenStore.Names) -> CTexts) -> Int32 {
  inside { store.map { OpenStore.with($0) { Int32(texts($0.names).count) } } ?? 0 }
}

/// See `aisle.h`.
@_cdecl("aisle_id")
public func aisleID(_ store: OpaquePointer?) -> UnsafePointer<CChar>? { text(store, 0) { $0.store } }

/// See `aisle.h`.
@_cdecl("aisle_name")
public func aisleName(_ store: OpaquePointer?) -> UnsafePointer<CChar>? { text(store, 1) { $0.store } }

/// See `aisle.h`.
@_cdecl("aisle_section_count")
public func aisleSectionCount(_ store: OpaquePointer?) -> Int32 { count(store) { $0.sections } }

/// See `aisle.h`.
@_cdecl("aisle_section_name")
public func aisleSectionName(_ store: OpaquePointer?, _ index: Int32) -> UnsafePointer<CChar>? {
  text(store, index) { $0.sections }
}

/// See `aisle.h`.
@_cdecl("aisle_section_id")
public func aisleSectionID(_ store: OpaquePointer?, _ index: Int32) -> UnsafePointer<CChar>? {
  text(store, index) { $0.sectionIDs }
}

/// See `aisle.h`.
@_cdecl("aisle_section_color")
public func aisleSectionColor(_ store: OpaquePointer?, _ index: Int32) -> UnsafePointer<CChar>? {
  text(store, index) { $0.colors }
}

/// See `aisle.h`.
@_cdecl("aisle_fallback")
public func aisleFallback(_ store: OpaquePointer?) -> Int32 {
  inside { store.map { OpenStore.with($0) { Int32($0.taxonomy.fallback.rawValue) } } ?? -1 }
}

/// See `aisle.h`.
@_cdecl("aisle_shelf_count")
public func aisleShelfCount(_ store: OpaquePointer?) -> Int32 { count(store) { $0.shelves } }

/// See `aisle.h`.
@_cdecl("aisle_shelf_name")
public func aisleShelfName(_ store: OpaquePointer?, _ index: Int32) -> UnsafePointer<CChar>? { text(store, index) { $0.shelves } }

/// See `aisle.h`.
@_cdecl("aisle_shelf_section")
public func aisleShelfSection(_ store: OpaquePointer?, _ index: Int32) -> Int32 {
  inside {
    guard let store else { return -1 }
    return OpenStore.with(store) { store in
      guard index >= 0, Int(index) < store.taxonomy.shelves.count else { return -1 }
      return Int32(store.taxonomy.shelves[Int(index)].section.rawValue)
    }
  }
}

/// See `aisle.h`.
@_cdecl("aisle_strategy_count")
public func aisleStrategyCount(_ store: OpaquePointer?) -> Int32 { count(store) { $0.strategies } }

/// See `aisle.h`.
@_cdecl("aisle_strategy_id")
public func aisleStrategyID(_ store: OpaquePointer?, _ index: Int32) -> UnsafePointer<CChar>? {
  text(store, index) { $0.strategies }
}
