#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A system library that reads images, loaded when a photo needs it: what starts without photos pays nothing.
///
/// Unchecked, since the addresses of functions never change.
struct ImageLibrary: @unchecked Sendable {
  /// Its name, for messages.
  let name: String
  /// The Debian package that has it.
  let package: String
  private let handle: UnsafeMutableRawPointer

  /// Loads a library.
  ///
  /// - Parameters:
  ///   - name: Its name, e.g. `libpng16`.
  ///   - version: The version of its binary interface, which is part of its file's name.
  ///   - package: The Debian package that has it.
  /// - Throws: `PhotoFault.missingLibrary`.
  init(_ name: String, version: Int, package: String) throws(PhotoFault) {
    #if canImport(Darwin)
      let files = ["/opt/homebrew/lib/\(name).\(version).dylib", "/usr/local/lib/\(name).\(version).dylib"]
    #else
      let files = ["\(name).so.\(version)"]
    #endif
    guard let handle = files.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw .missingLibrary(name, package: package)
    }
    self.name = name
    self.package = package
    self.handle = handle
  }

  /// One of its functions.
  ///
  /// - Parameter type: Its type, which must be that of the library's header.
  /// - Throws: `PhotoFault.missingLibrary`, if it is too old to have it.
  func function<Function>(_ symbol: String, as type: Function.Type) throws(PhotoFault) -> Function {
    guard let address = dlsym(handle, symbol) else { throw .missingLibrary("\(name) with \(symbol)", package: package) }
    return unsafeBitCast(address, to: type)
  }
}
