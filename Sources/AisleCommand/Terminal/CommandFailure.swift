/// A failure that is no mistake in the command line: exit code 2.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
}
