/// The checksum of a database's pages: see `PageChecks`, which writes them.
package enum PageChecksum {
  /// The first version of a file of corrections of which each page has a checksum.
  package static let firstVersion: Int32 = 3
  /// The length of a checksum: the last bytes of each page.
  package static let length = 8

  /// The checksum of a page of some multiple of 512 bytes: four lanes of words, mixed one after another. It finds accidents, not forgeries.
  ///
  /// Each step is a bijection both of the sum and of the word, so that a change within one word always shows.
  package static func checksum(_ page: UnsafeRawBufferPointer, _ number: UInt64) -> UInt64 {
    var (one, two, three, four) = (number, 2 as UInt64, 3 as UInt64, 4 as UInt64)
    @inline(__always) func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    @inline(__always) func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
      let product = (sum ^ word) &* 0x9E37_79B1_85EB_CA87
      return product ^ product &>> 29
    }
    var offset = 0
    while offset &+ 32 < page.count {
      one = mixed(one, word(offset))
      two = mixed(two, word(offset &+ 8))
      three = mixed(three, word(offset &+ 16))
      four = mixed(four, word(offset &+ 24))
      offset &+= 32
    }
    // What is left of the last 32 bytes before the checksum itself.
    one = mixed(one, word(offset))
    two = mixed(two, word(offset &+ 8))
    three = mixed(three, word(offset &+ 16))
    return mixed(mixed(mixed(one, two), three), four)
  }
}
