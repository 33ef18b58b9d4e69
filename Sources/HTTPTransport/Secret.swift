import Synchronization

/// A text that must not be shown: its descriptions, dumps, and mirrors, and those of anything that contains it, show `(secret)`.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: @Sendable () -> String
  private let hide: @Sendable (String) -> String

  /// Wraps a text.
  public init(_ text: String) {
    self.text = { text }
    let finder = Finder()
    hide = { finder.mask(of: text).hiding(in: $0) }
  }

  /// The text itself, for the code that sends it.
  public var exposed: String { text() }

  /// A text from someone who knows the secret, with `(key)` in place of anything that would reveal most of it, even if it is cut,
  /// encoded, or reversed. Every text from a server that received a key passes through here before it is shown or stored.
  public func hidden(in text: String) -> String { hide(text) }

  /// `(secret)`.
  public var description: String { "(secret)" }

  /// `(secret)`.
  public var debugDescription: String { "(secret)" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Makes what finds the secret when it is first looked for, and keeps it.
  private final class Finder: Sendable {
    private let made = Mutex<KeyMask?>(nil)

    func mask(of text: String) -> KeyMask {
      made.withLock { made in
        if let made { return made }
        let new = KeyMask(text)
        made = new
        return new
      }
    }
  }
}
