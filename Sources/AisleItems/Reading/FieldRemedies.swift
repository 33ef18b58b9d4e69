/// What is said that a person can do about fields that are missing, or there already; a command names its options here.
package struct FieldRemedies: Sendable {
  /// Where a record lacks the item's field.
  package var missing = "name the item's field"
  /// Where a record has the field that the section goes into.
  package var taken = "choose another name for the section's field"
  /// Where a record has a field that explains the section.
  package var explained = "rename it, or ask for no explanation, which adds one"

  /// Makes those that are no command's.
  package init() {}

  /// What to do about a name among those that are added, the section's first.
  package func remedy(for name: String, among added: [String]) -> String { name == added.first ? taken : explained }
}
