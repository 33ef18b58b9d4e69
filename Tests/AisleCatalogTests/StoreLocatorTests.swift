import Testing

@testable import AisleCatalog

/// Where stores are looked for.
@Suite struct StoreLocatorTests {
  @Test(
    "The command and the server find the stores that were installed with them",
    arguments: [
      ("/usr/local/bin/aisle", "/usr/local"), ("/usr/bin/aisle", "/usr"), ("/opt/a b/libexec/aisle/aisle-serve", "/opt/a b"),
      ("/usr/libexec/aisle/aisle-serve", "/usr"), ("/x/libexec/bin/aisle", "/x/libexec"),
    ])
  func installed(binary: String, prefix: String) {
    #expect(StoreLocator.installedFolder(of: binary) == "\(prefix)/share/aisle/taxonomies")
  }
}
