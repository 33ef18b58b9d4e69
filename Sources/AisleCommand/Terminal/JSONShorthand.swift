/// `--json`, which people try first, in place of a command's own option for its JSON.
enum JSONShorthand {
  private static let options: [(command: [String], option: [String])] = [
    (["categorize"], ["--format", "json"]), (["categorise"], ["--format", "json"]), (["check"], ["--format", "jsonl"]),
    (["eval"], ["--reporter", "json"]), (["compare"], ["--reporter", "json"]),
    (["corpus", "agreement"], ["--reporter", "json"]), (["stores", "diff"], ["--format", "json"]),
    (["tune", "report"], ["--format", "jsonl"]), (["tune", "suggest"], ["--format", "jsonl"]),
  ]

  /// The arguments with `--json` spelled out, for a command that writes JSON.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard let place = arguments[..<end].firstIndex(of: "--json"),
      let known = options.first(where: { arguments.starts(with: $0.command) })
    else { return arguments }
    return arguments[..<place] + known.option + arguments[(place + 1)...]
  }
}
