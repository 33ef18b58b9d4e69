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

  /// Everything that the configuration does beyond its own folder: the programs it runs, the files it uses elsewhere, the reports
  /// it writes over other kinds of files, and where it sends items.
  ///
  /// The rest is data: the store, a chain of built-in strategies, the corpus and the gate, reports in its own folder, and limits for a
  /// language model that was chosen elsewhere.
  public var reach: [Reach] {
    var reach = programs.map { program in
      Reach(
        location: program.location, description: Self.run(program.command.joined(separator: " "), giving: program.environment))
    }
    let files = [taxonomies, corrections, model?.prices, evaluation?.baseline].compactMap { $0 } + corpus
    for file in files where file.value != "off" && isOutside(file.value) {
      reach.append(Reach(location: file.location, description: "uses \(file.value), outside its folder"))
    }
    for report in evaluation?.reports ?? [] where report.path.value != "-" && !isHarmless(report) {
      reach.append(Reach(location: report.path.location, description: "writes \(report.path.value)"))
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

  /// Whether a report can replace nothing but a report: it has the name of its format, and is in no hidden folder and not elsewhere.
  private func isHarmless(_ report: Report) -> Bool {
    let path = report.path.value.dropFirst(folder.count)
    let endings = [
      "text": ".txt", "brief": ".txt", "json": ".json", "jsonl": ".jsonl", "markdown": ".md", "junit": ".xml", "github": ".txt",
      "html": ".html",
    ]
    // No report is written in a format that there is not.
    guard let ending = endings[report.format.value] else { return true }
    let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != "." }
    return path.hasSuffix(ending) && !isHidden && !isOutside(report.path.value)
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
