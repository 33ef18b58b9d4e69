import AisleItems
import AisleReporting

extension OutputBuffer {
  /// Replaces what a terminal would obey or not show, none of which is ours.
  func makeVisible() {
    guard let shown = VisibleText.page(bytes, keepsStyle: false) else { return }
    removeAll()
    append(shown)
  }
}
