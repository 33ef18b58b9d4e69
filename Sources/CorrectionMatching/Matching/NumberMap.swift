/// Values by numbers that are well mixed already, such as words' keys: finding one costs a look or two at memory.
struct NumberMap<Value: BitwiseCopyable>: Sendable where Value: Sendable {
  private var numbers: ContiguousArray<UInt64>
  private var values: ContiguousArray<Value>
  private var count = 0
  private let none: Value

  /// - Parameter none: What numbers have that were never set.
  init(none: Value) {
    self.none = none
    numbers = ContiguousArray(repeating: 0, count: 1024)
    values = ContiguousArray(repeating: none, count: 1024)
  }

  subscript(number: UInt64) -> Value {
    get {
      let place = place(of: number)
      return numbers[place] == 0 ? none : values[place]
    }
    set {
      let place = place(of: number)
      if numbers[place] != 0 {
        values[place] = newValue
        return
      }
      (numbers[place], values[place]) = (Self.kept(number), newValue)
      count += 1
      if count * 2 > numbers.count { grow() }
    }
  }

  /// 0 stands for a free place.
  private static func kept(_ number: UInt64) -> UInt64 { number == 0 ? 1 : number }

  private func place(of number: UInt64) -> Int {
    let kept = Self.kept(number)
    var place = Int(truncatingIfNeeded: (kept &* 0x9E37_79B9_7F4A_7C15) &>> 32) & (numbers.count - 1)
    while numbers[place] != 0, numbers[place] != kept { place = (place + 1) & (numbers.count - 1) }
    return place
  }

  private mutating func grow() {
    let (oldNumbers, oldValues) = (numbers, values)
    numbers = ContiguousArray(repeating: 0, count: 4 * oldNumbers.count)
    values = ContiguousArray(repeating: none, count: 4 * oldNumbers.count)
    for (number, value) in zip(oldNumbers, oldValues) where number != 0 {
      let place = place(of: number)
      (numbers[place], values[place]) = (number, value)
    }
  }
}
