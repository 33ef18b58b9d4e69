/// What is wrong with a JSON text.
package struct JSONFault: Error {
  package let message: String
  /// Where in the text, in bytes from its start.
  package var offset = 0
  /// Whether the text is an object all the same, and only a field of it is not as wanted.
  package var isSound = false

  package init(message: String, offset: Int = 0, isSound: Bool = false) {
    self.message = message
    self.offset = offset
    self.isSound = isSound
  }
}
