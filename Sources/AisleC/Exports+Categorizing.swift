public import CAisle

/// The longest item that is explained, in bytes.
private let longestExplained = 1 << 20

/// An item's bytes; `nil` where there is a length and no item.
private func item(_ item: UnsafePointer<CChar>?, _ length: Int) -> UnsafeBufferPointer<UInt8>? {
  guard let item else { return length == 0 ? UnsafeBufferPointer(start: nil, count: 0) : nil }
  return length < 0 ? nil : UnsafeBufferPointer(start: UnsafeRawPointer(item).assumingMemoryBound(to: UInt8.self), count: length)
}

/// See `aisle.h`.
@_cdecl("aisle_categorize_one")
public func aisleCategorizeOne(
  _ store: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int, _ answer: UnsafeMutablePointer<aisle_answer>?
) -> Int32 {
  inside {
    guard let store, let answer, let bytes = item(text, length) else { return Int32(AISLE_INVALID_ARGUMENT) }
    answer.pointee = OpenStore.with(store) { $0.categorize(bytes) }
    return Int32(AISLE_OK)
  }
}

/// See `aisle.h`.
@_cdecl("aisle_categorize")
public func aisleCategorize(
  _ store: OpaquePointer?, _ items: UnsafePointer<aisle_items>?, _ columns: UnsafePointer<aisle_columns>?,
  _ error: UnsafeMutablePointer<aisle_error>?
) -> Int32 {
  inside {
    Failure.telling(error) { () throws(Failure) in try categorize(store, items, columns) }
  }
}

private func categorize(
  _ store: OpaquePointer?, _ items: UnsafePointer<aisle_items>?, _ columns: UnsafePointer<aisle_columns>?
) throws(Failure) {
  guard let store, let items, let columns else {
    let what = store == nil ? "store" : items == nil ? "items" : "columns"
    throw Failure(AISLE_INVALID_ARGUMENT, "`\(what)` is NULL")
  }
  let asked = try Sized.read(items, named: "aisle_items")
  let answers = try Sized.read(columns, named: "aisle_columns")
  try check(asked)
  if asked.count == 0 { return }
  let held = Unmanaged<OpenStore>.fromOpaque(UnsafeRawPointer(store)).takeUnretainedValue()
  if let offsets = asked.offsets {
    try Columns(offsets: offsets, items: asked, answers: answers).categorize(held)
  } else if let offsets = asked.large_offsets {
    try Columns(offsets: offsets, items: asked, answers: answers).categorize(held)
  }
}

/// What can be said of items without looking at each.
private func check(_ items: aisle_items) throws(Failure) {
  for (name, number) in [("count", items.count), ("offset", items.offset), ("data_size", items.data_size)] where number < 0 {
    throw Failure(AISLE_INVALID_ARGUMENT, "`\(name)` of aisle_items is \(number); it must not be negative")
  }
  if items.count.addingReportingOverflow(items.offset).partialValue < 0 || items.count + items.offset == .max {
    throw Failure(AISLE_INVALID_ARGUMENT, "`count` and `offset` of aisle_items are too large")
  }
  if items.data == nil, items.data_size > 0 {
    throw Failure(AISLE_INVALID_ARGUMENT, "`data` of aisle_items is NULL, and `data_size` is \(items.data_size)")
  }
  if items.offsets != nil, items.large_offsets != nil {
    throw Failure(AISLE_INVALID_ARGUMENT, "aisle_items has `offsets` and `large_offsets`; set the other one to NULL")
  }
  if items.count > 0, items.offsets == nil, items.large_offsets == nil {
    throw Failure(AISLE_INVALID_ARGUMENT, "aisle_items has neither `offsets` nor `large_offsets`")
  }
}

/// See `aisle.h`.
@_cdecl("aisle_explain")
public func aisleExplain(
  _ store: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ needed: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<aisle_error>?
) -> Int32 {
  needed?.pointee = 0
  return inside {
    Failure.telling(error) { () throws(Failure) in try explain(store, text, length, buffer, capacity, needed) }
  }
}

private func explain(
  _ store: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ needed: UnsafeMutablePointer<Int>?
) throws(Failure) {
  guard let store, let bytes = item(text, length) else {
    throw Failure(AISLE_INVALID_ARGUMENT, store == nil ? "`store` is NULL" : "`item` is NULL, and `length` is \(length)")
  }
  if bytes.count > longestExplained {
    throw Failure(AISLE_INVALID_ARGUMENT, "the item has \(bytes.count) bytes; at most \(longestExplained) can be explained")
  }
  let json = OpenStore.with(store) { $0.explain(bytes) }
  needed?.pointee = json.count + 1
  guard let buffer, capacity > json.count else {
    throw Failure(AISLE_TOO_SMALL, "the JSON takes \(json.count + 1) bytes, and the buffer has \(buffer == nil ? 0 : capacity)")
  }
  json.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: buffer, count: json.count).copyMemory(from: $0) }
  buffer[json.count] = 0
}
