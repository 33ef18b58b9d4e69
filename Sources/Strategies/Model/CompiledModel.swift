/// The model that is compiled in.
enum CompiledModel {
  static let text: StaticString = ""
}
