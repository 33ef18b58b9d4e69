extension Dialect {
  /// What all requests about so many items have in common.
  func frame(_ prompt: Prompt, _ count: Int) -> RequestFrame {
    RequestFrame(body(prompt.inquiry(Array(repeating: Question([0x78]), count: count).compactMap { $0 })).bytes)
  }
}
