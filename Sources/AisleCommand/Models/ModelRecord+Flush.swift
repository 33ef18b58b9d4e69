import AisleCatalog

extension ModelRecord {
  /// Writes what is known of requests and waits to be written; where that fails it is said, and nothing else.
  func flushTellingFaults() { do { try flush() } catch { Descriptor.standardError.tell("aisle: \(error)\n") } }
}
