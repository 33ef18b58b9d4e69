import CCurl

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// libcurl's functions, found when the first request is made: see `shim.h` for why it is not linked.
///
/// Unchecked, since the addresses of functions never change.
struct CurlLibrary: @unchecked Sendable {
  typealias Handle = UnsafeMutableRawPointer
  typealias Lines = UnsafeMutablePointer<curl_slist>

  let easyInit: @convention(c) () -> Handle?
  let easyCleanup: @convention(c) (Handle) -> Void
  let setOption: Handle
  let getInfo: Handle
  let describe: @convention(c) (CURLcode) -> UnsafePointer<CChar>?
  let appendLine: @convention(c) (Lines?, UnsafePointer<CChar>) -> Lines?
  let freeLines: @convention(c) (Lines?) -> Void
  let multiInit: @convention(c) () -> Handle?
  let multiCleanup: @convention(c) (Handle) -> CURLMcode
  let multiAdd: @convention(c) (Handle, Handle) -> CURLMcode
  let multiRemove: @convention(c) (Handle, Handle) -> CURLMcode
  let multiPerform: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> CURLMcode
  let multiPoll:
    @convention(c) (Handle, UnsafeMutablePointer<curl_waitfd>?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> CURLMcode
  let multiWakeUp: @convention(c) (Handle) -> CURLMcode
  let multiInfo: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<CURLMsg>?
  let multiSetOption: Handle
  let version: @convention(c) () -> UnsafePointer<CChar>?

  private static let loaded = Result<CurlLibrary, HTTPError> { () throws(HTTPError) in try CurlLibrary() }

  /// The library, loaded and set up once.
  ///
  /// - Throws: `HTTPError.noLibrary`.
  static func load() throws(HTTPError) -> CurlLibrary { try loaded.get() }

  #if canImport(Darwin)
    private static let files = ["/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"]
  #else
    private static let files = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  private init() throws(HTTPError) {
    var reason = ""
    var opened: Handle?
    for file in Self.files where opened == nil {
      opened = dlopen(file, RTLD_NOW | RTLD_LOCAL)
      if opened == nil, reason.isEmpty { reason = dlerror().map { String(cString: $0) } ?? file }
    }
    guard let library = opened else { throw .noLibrary(reason) }
    func find(_ name: String) throws(HTTPError) -> Handle {
      guard let address = dlsym(library, name) else { throw .noLibrary("it is too old: it lacks \(name)") }
      return address
    }
    let globalInit = unsafeBitCast(try find("curl_global_init"), to: (@convention(c) (Int) -> CURLcode).self)
    easyInit = unsafeBitCast(try find("curl_easy_init"), to: type(of: easyInit))
    easyCleanup = unsafeBitCast(try find("curl_easy_cleanup"), to: type(of: easyCleanup))
    setOption = try find("curl_easy_setopt")
    getInfo = try find("curl_easy_getinfo")
    describe = unsafeBitCast(try find("curl_easy_strerror"), to: type(of: describe))
    appendLine = unsafeBitCast(try find("curl_slist_append"), to: type(of: appendLine))
    freeLines = unsafeBitCast(try find("curl_slist_free_all"), to: type(of: freeLines))
    multiInit = unsafeBitCast(try find("curl_multi_init"), to: type(of: multiInit))
    multiCleanup = unsafeBitCast(try find("curl_multi_cleanup"), to: type(of: multiCleanup))
    multiAdd = unsafeBitCast(try find("curl_multi_add_handle"), to: type(of: multiAdd))
    multiRemove = unsafeBitCast(try find("curl_multi_remove_handle"), to: type(of: multiRemove))
    multiPerform = unsafeBitCast(try find("curl_multi_perform"), to: type(of: multiPerform))
    multiPoll = unsafeBitCast(try find("curl_multi_poll"), to: type(of: multiPoll))
    multiWakeUp = unsafeBitCast(try find("curl_multi_wakeup"), to: type(of: multiWakeUp))
    multiInfo = unsafeBitCast(try find("curl_multi_info_read"), to: type(of: multiInfo))
    multiSetOption = try find("curl_multi_setopt")
    version = unsafeBitCast(try find("curl_version"), to: type(of: version))
    guard globalInit(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK else { throw .noLibrary("it cannot be initialized") }
  }
}
