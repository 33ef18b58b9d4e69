/// A text that must not be shown: descriptions, dumps and mirrors of it, and of what holds it, say `(secret)`.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: @Sendable () -> String

  /// Wraps a text.
  public init(_ text: String) { self.text = { text } }

  /// The text itself, for the one place that sends it.
  public var exposed: String { text() }

  /// `(secret)`.
  public var description: String { "(secret)" }

  /// `(secret)`.
  public var debugDescription: String { "(secret)" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
