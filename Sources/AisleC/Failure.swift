import CAisle

/// What a call came to, with the text that the caller is told.
struct Failure: Error {
  let code: Int32
  let message: String

  init(_ code: Int, _ message: String) { (self.code, self.message) = (Int32(truncatingIfNeeded: code), message) }

  /// Tells the caller, where there is room for it, and gives the code. A text that is too long is cut between two characters.
  func tell(_ error: UnsafeMutablePointer<aisle_error>?) -> Int32 {
    guard let error else { return code }
    error.pointee.code = code
    withUnsafeMutableBytes(of: &error.pointee.message) { room in
      // A zero byte within would end the text.
      let bytes = Array(message.utf8.lazy.map { $0 == 0 ? UInt8(ascii: "?") : $0 })
      var count = min(bytes.count, room.count - 1)
      while count < bytes.count, count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
      room.copyBytes(from: bytes[..<count])
      room[count] = 0
    }
    return code
  }

  /// Does something, and tells the caller what it came to.
  static func telling(_ room: UnsafeMutablePointer<aisle_error>?, _ body: () throws(Failure) -> Void) -> Int32 {
    do throws(Failure) { try body() } catch { return error.tell(room) }
    return Failure(AISLE_OK, "").tell(room)
  }
}
