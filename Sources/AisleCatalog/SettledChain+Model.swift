extension Settled<ChainSpecification> {
  /// Puts the language model at the chain's end where it is asked for, or tells the one that stands there already what it is.
  ///
  /// A chain that was set more strongly than the model, e.g. by an option and the model by a file, stays as it was written.
  package mutating func add(_ model: SettledModel) {
    guard let choice = model.choice else { return }
    var links = value.links
    let places = links.indices.filter { links[$0].isModel }
    guard let provider = choice.value.provider else {
      if Self.strength(choice.origin) >= Self.strength(origin) { links.removeAll(where: \.isModel) }
      if !links.isEmpty, links.count < value.links.count { replace(links) }
      return
    }
    if places.isEmpty, Self.strength(choice.origin) >= Self.strength(origin) {
      links.append(.init("llm"))
    }
    for place in links.indices where links[place].isModel {
      func add(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty, !links[place].options.contains(where: { $0.name == name }) else { return }
        links[place].options.append(.init(name: name, value: value))
      }
      add("provider", provider.rawValue)
      add("model", model.name)
    }
    if links != value.links { replace(links) }
  }

  private mutating func replace(_ links: [ChainSpecification.Link]) {
    guard let specification = ChainSpecification(links) else { return }
    self = Settled(value: specification, origin: origin)
  }

  private static func strength(_ origin: String) -> Int {
    origin == "default" ? 0 : origin.hasPrefix("--") ? 3 : origin.hasPrefix("$") ? 2 : 1
  }
}

extension SettledChain {
  /// Puts the language model into the chain: see `Settled.add`.
  package mutating func addModel() { chain.add(model) }

  /// Lets a language model be made only to be shown: without a key, and of any provider where none is named.
  package mutating func showModel() {
    guard chain.value.links.contains(where: \.isModel) else { return }
    if model.choice?.value.provider == nil { model.choice = Settled(value: .anthropic, origin: chain.origin) }
    model.setup.cacheUse = .only
    addModel()
  }
}
