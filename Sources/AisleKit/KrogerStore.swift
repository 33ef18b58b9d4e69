enum KrogerStore {
  static let text: StaticString = ""
}
