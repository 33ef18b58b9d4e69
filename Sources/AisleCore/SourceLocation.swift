/// A place in a data file.
public struct SourceLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The file's path as found, or its path within the project for stores that are compiled in.
  public let path: String
  /// The line, from 1; 0 stands for the whole file.
  public let line: Int
  /// The column in UTF-8 bytes, from 1; 0 stands for the whole line.
  public let column: Int

  /// Makes a location; without a line, it means the whole file.
  public init(path: String, line: Int = 0, column: Int = 0) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// `path:line:column`, as far as it is known.
  public var description: String {
    if line == 0 { return path }
    return column == 0 ? "\(path):\(line)" : "\(path):\(line):\(column)"
  }

  /// By path, then line, then column.
  public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.path, left.line, left.column) < (right.path, right.line, right.column)
  }
}

/// Something wrong in a data file, and what to do about it.
public struct Finding: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where it is.
  public let location: SourceLocation
  /// What is wrong and how to fix it, in one line.
  public let message: String

  /// Makes a finding.
  public init(_ location: SourceLocation, _ message: String) {
    self.location = location
    self.message = message
  }

  /// `path:line:column: message`.
  public var description: String { "\(location): \(message)" }
}
