/// The version of aisle: of the command, the server, and the library for C.
package enum Version {
  /// By semantic versioning.
  package static let number = "0.1.0"
}
