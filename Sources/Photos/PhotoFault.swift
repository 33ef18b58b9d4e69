/// Why a photo cannot be prepared.
public enum PhotoFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file is empty.
  case empty
  /// It has a format that is not read: what it is, if that is known.
  case otherFormat(String?)
  /// It is cut off or damaged, or has something that its library does not read: the library's words.
  case damaged(PhotoFormat, String)
  /// It has more pixels than are decoded.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A library is missing: its name, and the Debian package that has it.
  case missingLibrary(String, package: String)
  /// There is not enough memory for its pixels.
  case noMemory

  /// What is wrong and what to do, in one line.
  public var description: String {
    let formats = PhotoFormat.allCases.map(\.rawValue)
    let known = formats.dropLast().joined(separator: ", ") + ", or " + (formats.last ?? "")
    switch self {
    case .empty: return "the file is empty"
    case .otherFormat(let name): return "the file is \(name ?? "not an image"); save the photo as \(known)"
    case .damaged(let format, let words):
      return "the \(format.rawValue) cannot be read\(words.isEmpty ? "" : ": \(words)"); save the photo anew"
    case .tooManyPixels(let width, let height, let limit):
      return "the photo has \(width) x \(height) pixels, more than the limit of \(limit / 1_000_000) million; save it smaller"
    case .missingLibrary(let name, let package):
      return "photos need the library \(name), which is not installed; on Debian and Ubuntu: apt-get install \(package)"
    case .noMemory: return "there is not enough memory for its pixels; save it smaller"
    }
  }
}
