/// What is known of language models: prices, sizes, and ends, as data that people can correct.
public struct ModelList: Sendable {
  /// All models, in the order of their lines.
  public private(set) var models: [KnownModel]

  /// The text of the built-in list, in the form that `read` takes.
  public static let builtInText = String(decoding: PackageResources.models_txt, as: UTF8.self)

  /// The built-in list.
  public static let builtIn = read(builtInText).list

  /// A list that is read from a text, and the lines that are wrong, with the reasons. Of two lines about a model, the later counts.
  public static func read(_ text: String) -> (list: ModelList, faults: [(line: Int, message: String)]) {
    var list = ModelList(models: [])
    var faults: [(line: Int, message: String)] = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let fields = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      if fields.isEmpty { continue }
      do {
        let model = try KnownModel(line: fields)
        list.models.removeAll { $0.name == model.name }
        list.models.append(model)
      } catch {
        faults.append((number + 1, error.message))
      }
    }
    return (list, faults)
  }

  /// The model that has a name or alias; otherwise the one with the longest beginning of it; `nil` if there is none.
  public subscript(name: String) -> KnownModel? {
    if let exact = models.last(where: { $0.isNamed(name) }) { return exact }
    return models.compactMap { model in model.prefixLength(of: name).map { (model, $0) } }.max { $0.1 < $1.1 }?.0
  }

  /// The model of a provider that is asked where none is named; `nil` if there is none.
  public func standard(_ provider: ModelProvider, for purpose: KnownModel.Purpose) -> KnownModel? {
    models.last { $0.provider == provider && $0.purposes.contains(purpose) }
  }

  /// This list with the lines of another one, each completed by what this list knows of the same model.
  public func overridden(by other: ModelList) -> ModelList {
    let lines = other.models.map { line in
      models.last { $0.isNamed(line.name) }.map { line.completed(by: $0) } ?? line
    }
    return ModelList(models: models.filter { old in !lines.contains { $0.isNamed(old.name) } } + lines)
  }
}
