import LearnedStrategy
import NIOCore

/// The head of an answer that is JSON, with what all answers say, for what is sent as bytes. Most of it is written anew only each second.
struct AnswerHead {
  /// How many bytes before an answer it takes at most.
  static let room = 256

  private var second = 0
  private var start: [UInt8] = []

  /// Puts the head right before an answer that stands after `room` bytes.
  mutating func put(before answer: inout ByteBuffer) {
    let now = Timestamp.now
    if now / 1000 != second {
      second = now / 1000
      let (type, caching) = (RequestForm.type, RequestForm.caching)
      let text = """
        HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: \(Timestamp.http(now))\r\nServer: aisle\r
        \(type.0): \(type.1)\r\n\(caching.0): \(caching.1)\r\nContent-Length:\u{20}
        """
      start = Array(text.utf8)
    }
    let end = "\(answer.readableBytes - Self.room)\r\n\r\n"
    let place = Self.room - start.count - end.utf8.count
    answer.setBytes(start, at: place)
    answer.setString(end, at: place + start.count)
    answer.moveReaderIndex(to: place)
  }
}
