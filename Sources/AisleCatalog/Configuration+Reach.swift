public import AisleCore
public import AisleFiles

extension Configuration {
  /// Something that a configuration does beyond its own folder, and that requires a person's trust.
  public struct Reach: Sendable, Hashable, CustomStringConvertible {
    /// The place that says so.
    public let location: SourceLocation
    /// What it is, e.g. ``runs `python3 ./classify.py` ``.
    public let description: String
  }

  /// Everything that the configuration does beyond its own folder: the programs it runs, the files it uses elsewhere, and where it
  /// sends items.
  ///
  /// The rest is data: the store, a chain of built-in strategies, and limits for a language model that was chosen elsewhere.
  public var reach: [Reach] {
    var reach = programs.map { program in
      Reach(
        location: program.location, description: Self.run(program.command.joined(separator: " "), giving: program.environment))
    }
    for file in [taxonomies, corrections, model?.prices].compactMap({ $0 }) where file.value != "off" && isOutside(file.value) {
      reach.append(Reach(location: file.location, description: "uses \(file.value), outside its folder"))
    }
    if let provider = model?.provider, provider.value != "off" {
      reach.append(Reach(location: provider.location, description: "sends items to a language model (\(provider.value))"))
    }
    if let url = model?.url { reach.append(Reach(location: url.location, description: "sends items to \(url.value)")) }
    if let chain, let links = try? ChainSpecification(chain.value).links {
      for link in links { reach += self.reach(of: link).map { Reach(location: chain.location, description: $0) } }
    }
    return reach
  }

  private func reach(of link: ChainSpecification.Link) -> [String] {
    func value(_ option: String) -> String { link.options.first { $0.name == option }?.value ?? "" }
    switch link.strategy {
    case "llm": return ["sends items to a language model"]
    case "process": return [Self.run(value("command"), giving: value("environment").split(separator: " ").map(String.init))]
    default:
      let file = value("file")
      return file.isEmpty || !isOutside(file) ? [] : ["uses \(file), outside its folder"]
    }
  }

  /// What running a program is called, with the variables that it gets although they may hold a key.
  private static func run(_ command: String, giving variables: [String]) -> String {
    "runs `\(command)`" + (variables.isEmpty ? "" : ", and passes it \(variables.joined(separator: " and "))")
  }

  /// Whether a file is elsewhere than in the configuration's folder, also by a link, or may be.
  private func isOutside(_ path: String) -> Bool {
    guard let folder = FileReader.resolved(folder.isEmpty ? "." : folder) else { return true }
    var existing = path
    while FileReader.resolved(existing) == nil {
      // What is not there yet: the folder that it will be in decides, and nothing may lead out of that.
      let slash = existing.lastIndex(of: "/")
      if let slash, existing[slash...] == "/.." { return true }
      existing = slash.map { $0 == existing.startIndex ? "/" : String(existing[..<$0]) } ?? "."
    }
    let resolved = FileReader.resolved(existing) ?? "/"
    return resolved != folder && !resolved.hasPrefix(folder == "/" ? "/" : folder + "/")
  }
}
