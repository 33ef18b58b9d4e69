import Synchronization

/// A text that must not be shown: descriptions, dumps and mirrors of it, and of what holds it, say `(secret)`.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: @Sendable () -> String
  private let hide: @Sendable (String) -> String

  /// Wraps a text.
  public init(_ text: String) {
    self.text = { text }
    let finder = Finder()
    hide = { finder.mask(of: text).hiding(in: $0) }
  }

  /// The text itself, for the one place that sends it.
  public var exposed: String { text() }

  /// What somebody else wrote, who knows the secret, with `(key)` for whatever would let a reader recover most of it: also of one that is
  /// cut, encoded or backwards. Every text of a server that was sent a key goes through here before it is shown or kept.
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
