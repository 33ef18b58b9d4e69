/// What bytes can be appended to.
package protocol ByteSink: AnyObject {
  func append(_ bytes: some Collection<UInt8>)
}

extension ByteSink {
  package func append(_ text: String) { append(text.utf8) }
}

/// Bytes in memory, on their way to a file.
package final class ByteBuffer: ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package func append(_ bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }
}
