import AisleCore

extension String {
  /// The text as a shell takes it for one word: as it is where that is plain, else in quotes.
  var shellWord: String {
    let isPlain = !isEmpty && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "/._-+:,@%=".utf8.contains($0) }
    return isPlain ? self : shellQuoted
  }

  /// The text in single quotes, as a shell takes it.
  var shellQuoted: String { "'" + map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'" }
}
