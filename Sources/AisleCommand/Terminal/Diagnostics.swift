import AisleReporting

/// Messages about the input and the run, on stderr.
struct Diagnostics: Sendable {
  let style: Style
  /// Whether nothing is written, since it has been said already.
  var isSilent = false

  /// Writes a message; of one with several lines each gets a line of its own.
  func error(_ message: String) {
    if isSilent { return }
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      Descriptor.standardError.tell("\(style.error("aisle:")) \(Style.visible(String(line)))\n")
    }
  }
}
