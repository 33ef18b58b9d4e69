import AisleCore
import AisleFiles
import Foundation
import Testing

/// A folder of stores and shelves: what it must agree on, and how far its files reach.
@Suite struct TaxonomyFolderTests {
  private static let sound = StoreFolder.soundStore

  // MARK: Stores

  @Test func `the stores are the YAML files that may be stores, in order`() throws {
    let names = ["walmart.yaml", "aldi.yaml", ".hidden.yaml", "Bad Name.yaml", "notes.txt", "taxonomy.schema.json"]
    let folder = try StoreFolder(Self.sound, Dictionary(uniqueKeysWithValues: names.map { ($0, .some("")) }))
    #expect(folder.stores() == ["aldi", "small", "walmart"])
  }

  @Test(arguments: [
    ("smal", ".: no store `smal`; did you mean `small`?"),
    ("target", ".: no store `target`; it has aldi, small"),
    ("", ".: no store ``; it has aldi, small"),
    ("../small", ".: no store `../small`; it has aldi, small"),
    ("/etc/passwd", ".: no store `/etc/passwd`; it has aldi, small"),
    ("small.yaml", ".: no store `small.yaml`; it has aldi, small"),
  ]) func `an unknown store is an error that says which there are`(store: String, message: String) throws {
    #expect(try StoreFolder(Self.sound, ["aldi.yaml": ""]).error(store) == message)
  }

  @Test func `a folder that is not there, is a file or holds no store is an error that says so`() throws {
    let folder = try StoreFolder(Self.sound, ["small.yaml": nil])
    #expect(folder.error() == ".: no store `small`; there are no stores in it")
    try folder.write("Small.yaml", Self.sound)
    #expect(
      folder.error()
        == ".: no store `small`; Small.yaml: not read as a store because of its name; rename it: a-z, 0-9, and hyphens, then .yaml"
    )
    for name in ["nowhere", "shelves/fruit.txt"] {
      let path = "\(folder.path)/\(name)"
      let error = #expect(throws: FileError.self) { _ = try TaxonomyFolder(path: path).load("small") }
      #expect(error?.description == "\(path): no such folder; name the folder that holds the stores' YAML files")
    }
  }

  // MARK: Shelves

  @Test(
    arguments: [
      (
        sound.with("- fruit\n      - fruit", for: "- fruit"), [:],
        ["small.yaml:9:9: shelf `fruit` is placed twice, first on line 8; keep one"]
      ),
      (
        sound + "    shelves: [fruit]\n", [:], ["small.yaml:11:15: shelf `fruit` is placed twice, first on line 8; keep one"]
      ),
      (
        sound, ["shelves/nuts.txt": "walnut\n"],
        ["shelves/nuts.txt: shelf `nuts` has no place in store `small`; add it to a section's `shelves` in small.yaml"]
      ),
      (
        sound.with("- fruits", for: "- fruit"), [:],
        [
          "shelves/fruit.txt: shelf `fruit` has no place in store `small`; add it to a section's `shelves` in small.yaml",
          "small.yaml:8:9: no file shelves/fruits.txt; did you mean `fruit`?",
        ]
      ),
      (
        sound.with("- fruit\n      - candles", for: "- fruit"), [:],
        ["small.yaml:9:9: no file shelves/candles.txt; create it or remove the entry"]
      ),
      (sound, ["shelves/fruit.txt": nil], ["small.yaml:8:9: no file shelves/fruit.txt; create it or remove the entry"]),
      (
        sound, ["shelves/fruit.txt": "apple\n~\n"],
        ["shelves/fruit.txt:2:1: the keyword is missing; write a word or remove the entry"]
      ),
      (sound, ["shelves/fruit.txt": "\u{FEFF}# fruit\r\napple\r\n"], []),
      (sound, ["shelves/README.md": "not a shelf\n", "shelves/.fruit.txt.swp": ""], []),
      (
        sound, ["moves.txt": "dried: fruit -> fruits\n"],
        ["moves.txt:1:1: no shelf `fruits` in this store; did you mean `fruit`?"]
      ),
      (
        sound, ["weights.txt": "# so\n\nodds rivl = 0.5\n"],
        ["weights.txt:3:1: no setting `odds rivl`; did you mean `odds rival`?"]
      ),
      (sound, ["weights.txt": "odds rival = 0.5\0\n"], ["weights.txt:1:17: NUL byte; save the file as plain UTF-8 text"]),
      (sound, ["spellings.txt": "aple\n"], ["spellings.txt:1:1: expected `variant, variant = standard spelling`"]),
    ] as [(String, [String: String?], [String])])
  func `each shelf has one file and one place`(store: String, files: [String: String?], expected: [String]) throws {
    try expect(expected, in: store, files)
  }

  @Test(arguments: ["apple\n\0", "apple\n\u{FF}"]) func `a shelf that cannot be read is the only error, whatever names it`(
    text: String
  )
    throws
  {
    let pattern = """
      patterns:
        - {name: pips, shelf: fruit, expression: 'pips?', matches: [pip], rejects: [pop]}

      """
    let files = ["moves.txt": "dried: fruit -> nuts\n", "shelves/nuts.txt": "walnut\n", "patterns/pips.yaml": pattern]
    let folder = try StoreFolder(Self.sound.with("- fruit\n      - nuts", for: "- fruit"), files)
    #expect(try folder.findings() == [])
    // The text's last character stands for the byte of its number.
    try folder.write("shelves/fruit.txt", text.unicodeScalars.map { UInt8($0.value) })
    let found = try folder.findings()
    #expect(found.count == 1 && found.first?.hasPrefix("shelves/fruit.txt:2:1: ") == true, "found \(found)")
    try FileManager.default.removeItem(atPath: folder.path + "/shelves/fruit.txt")
    #expect(try folder.findings() == ["small.yaml:8:9: no file shelves/fruit.txt; create it or remove the entry"])
  }

  @Test func `findings come by file, line and column`() throws {
    let store = Self.sound.with("emrald", for: "emerald").with("bloo", for: "gray").with("fallback: Othr", for: "fallback: Other")
    let found = try findings(store + "extra: 1\n", ["shelves/fruit.txt": "~\n\n!\n", "moves.txt": "x\n"])
    let places = found.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(places.prefix(3) == ["moves.txt:1:1:", "shelves/fruit.txt:1:1:", "shelves/fruit.txt:3:1:"])
    #expect(places.count > 4)
  }

  @Test func `a hidden file is no shelf`() throws {
    try expect([], in: Self.sound, ["shelves/.#fruit.txt": "", "shelves/._fruit.txt": "\0"])
  }

  @Test(arguments: ["Zorg_x", "zorg x", String(repeating: "x", count: 65)])
  func `a file whose name no shelf can have is an error that says so`(
    name: String
  ) throws {
    try expect(
      ["shelves/\(name).txt: not read as a shelf because of its name; rename it: a-z, 0-9, and hyphens, then .txt"],
      in: Self.sound,
      ["shelves/\(name).txt": "zorg\n"])
  }

  @Test func `a folder or an outward link among the shelves is an error that says what it is`() throws {
    let folder = try StoreFolder()
    let shelf = folder.url.appending(path: "shelves/zorg.txt")
    try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: false)
    #expect(try folder.findings() == ["shelves/zorg.txt: is not a regular file; name a file"])
    try FileManager.default.removeItem(at: shelf)
    try FileManager.default.createSymbolicLink(atPath: shelf.path, withDestinationPath: "/etc/hostname")
    #expect(try folder.findings() == ["shelves/zorg.txt: is a link to outside the taxonomies folder; put the file itself there"])
  }

  // MARK: Paths

  @Test(arguments: [
    ("../secret", "../secret"), ("/etc/passwd", "/etc/passwd"), ("..", ".."), (".", "."), ("'fruit/../fruit'", "fruit/../fruit"),
    ("fruit.txt", "fruit.txt"), ("Fruit", "Fruit"), ("'fruit '", "fruit "), ("''", ""), ("früchte", "früchte"),
    ("'c:\\fruit'", "c:\\fruit"),
  ]) func `a shelf's name is no path`(written: String, shown: String) throws {
    let found = try findings(Self.sound.with("- fruit\n      - \(written)", for: "- fruit"))
    #expect(found == ["small.yaml:9:9: shelf name `\(shown)` may have only a-z, 0-9, and hyphens"])
  }

  @Test func `a shelf's name with a NUL in it is refused`() throws {
    let found = try findings(Self.sound.with("- fruit\n      - \"fruit\\0\"", for: "- fruit"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("small.yaml:9:9: shelf name `fruit") == true)
    #expect(found.first?.hasSuffix("may have only a-z, 0-9, and hyphens") == true)
  }

  @Test func `a shelf that is a link out of the folder is refused, one that stays inside is read`() throws {
    let folder = try StoreFolder(Self.sound.with("- fruit\n      - nuts", for: "- fruit"))
    let secret = folder.outside.appending(path: "secret.txt")
    let link = folder.url.appending(path: "shelves/nuts.txt")
    try Data("secret word\n".utf8).write(to: secret)
    for target in [secret.path, "../../secret.txt", "/etc/hostname", "nowhere.txt"] {
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
      let (taxonomy, found) = try folder.load()
      #expect(
        found == [
          "shelves/nuts.txt: is a link to outside the taxonomies folder; put the file itself there"
        ],
        "\(target)")
      #expect(taxonomy.keywords.map(\.text) == ["apple"])
      try FileManager.default.removeItem(at: link)
    }
    try folder.write("more.txt", "walnut\n")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "../more.txt")
    #expect(try folder.findings() == [])
    #expect(try folder.load().taxonomy.keywords.map(\.text) == ["apple", "walnut"])
  }

  @Test func `a store that is a link out of the folder is refused`() throws {
    let folder = try StoreFolder(Self.sound, ["small.yaml": nil])
    try Data(Self.sound.utf8).write(to: folder.outside.appending(path: "small.yaml"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "small.yaml").path, withDestinationPath: "../small.yaml")
    #expect(folder.error() == "small.yaml: is a link to outside the taxonomies folder; put the file itself there")
  }

  @Test func `a shelves folder that is a link out of the folder is refused`() throws {
    let folder = try StoreFolder()
    let shelves = folder.url.appending(path: "shelves")
    try FileManager.default.moveItem(at: shelves, to: folder.outside.appending(path: "elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: shelves.path, withDestinationPath: "../elsewhere")
    #expect(try folder.findings() == ["shelves/fruit.txt: is a link to outside the taxonomies folder; put the file itself there"])
  }

  @Test func `a taxonomies folder may itself be a link`() throws {
    let folder = try StoreFolder()
    let link = folder.outside.appending(path: "link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "taxonomies")
    #expect(try withExtendedLifetime(folder) { try TaxonomyFolder(path: link.path).load("small").findings } == [])
  }

  // MARK: Files

  @Test func `a file over 4 MiB is refused, one of 4 MiB is read`() throws {
    let folder = try StoreFolder()
    let line = Array("apple\n".utf8)
    let most = Array(repeating: line, count: FileReader.maximumBytes / line.count).joined() + Array("#\n\n\n\n\n\n".utf8)
    try folder.write("shelves/fruit.txt", Array(most.prefix(FileReader.maximumBytes)))
    let bytes = try folder.read("shelves/fruit.txt")
    #expect(bytes.count == FileReader.maximumBytes)
    try folder.write("shelves/fruit.txt", [UInt8](repeating: 0x23, count: FileReader.maximumBytes + 1))
    #expect(try folder.findings() == ["shelves/fruit.txt: is larger than 4 MiB; split it into several files"])
    try folder.write("small.yaml", [UInt8](repeating: 0x23, count: FileReader.maximumBytes + 1))
    #expect(folder.error() == "small.yaml: is larger than 4 MiB; split it into several files")
  }

  @Test func `a shelf that is a folder or a pipe is refused and not waited for`() throws {
    let folder = try StoreFolder(Self.sound, ["shelves/fruit.txt": nil])
    let shelf = folder.url.appending(path: "shelves/fruit.txt")
    try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: false)
    #expect(try folder.findings() == ["shelves/fruit.txt: is not a regular file; name a file"])
    try FileManager.default.removeItem(at: shelf)
    #expect(mkfifo(shelf.path, 0o600) == 0)
    #expect(try folder.findings() == ["shelves/fruit.txt: is not a regular file; name a file"])
  }

  @Test(arguments: [
    ("/nowhere/at/all", "/nowhere/at/all: cannot open: no such file or directory; check the name"),
    ("/", "/: is not a regular file; name a file"),
    ("/etc/pass\0wd", "(a path with a NUL byte): cannot open; remove the NUL byte"),
  ]) func `a file that cannot be read is an error that names it`(path: String, message: String) {
    let error = #expect(throws: FileError.self) { _ = try FileReader.read(path) }
    #expect(error?.description == message)
  }

  @Test func `a file is read byte for byte`() throws {
    let folder = try StoreFolder()
    for bytes in [[], [0], (0...255).map { UInt8($0) }, [UInt8](repeating: 7, count: 300_000)] as [[UInt8]] {
      try folder.write("bytes", bytes)
      #expect(try folder.read("bytes") == bytes)
    }
  }

  @Test func `a store of 255 sections loads, one more is a finding`() throws {
    func store(_ count: Int) -> String {
      "store: small\nfallback: Section 0\nsections:\n" + (0..<count).map { "  - name: Section \($0)\n" }.joined()
        + (count > 0 ? "    shelves: [fruit]\n" : "")
    }
    try expect([], in: store(255))
    let found = try findings(store(256))
    #expect(found.contains("small.yaml:259:11: more than 255 sections; merge some"))
  }
}
