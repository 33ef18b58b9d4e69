/// What is wrong with a JSON text.
package struct JSONFault: Error {
  package let message: String
  /// The message without its place, for whom that is a line and a column of a file.
  package let placeless: String
  /// Where in the text, in bytes from its start.
  package var offset = 0
  /// Whether the text is an object all the same, and only a field of it is not as wanted.
  package var isSound = false

  package init(message: String, offset: Int = 0, isSound: Bool = false) {
    self.message = message
    placeless = message
    self.offset = offset
    self.isSound = isSound
  }

  /// What of a text is no JSON.
  package init(syntax what: String, offset: Int) {
    message = "bad JSON at column \(offset + 1): \(what)"
    placeless = "bad JSON: \(what)"
    self.offset = offset
  }
}
