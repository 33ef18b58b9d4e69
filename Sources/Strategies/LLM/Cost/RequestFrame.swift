/// What all requests about so many items have in common: the prompt, and the form of the answer.
///
/// It is the project's own text, so how many tokens it makes can be measured. The items are other people's, and may be any bytes.
struct RequestFrame: Sendable, Hashable {
  /// Its bytes.
  let bytes: Int
  /// The most tokens that it makes, with what an API adds to it.
  let tokens: Int

  /// How many ASCII bytes of prompts and JSON schemas make a token at least: tokenizers in use take 3.3 (schemas) to 4.8 (prose).
  private static let bytesPerToken = 3
  /// The tokens that an API adds of its own, beyond what the line above leaves: words about the form of the answer.
  private static let added = 256

  /// Measures the body of a request whose items are one letter each.
  init(_ body: [UInt8]) {
    let plain = body.count { $0 < 0x80 }
    bytes = body.count
    tokens = plain / Self.bytesPerToken + (body.count - plain) + Self.added
  }
}
