import Foundation
import Testing

/// Stores that extend another, in a folder that has nothing else: `shop`, which the scratch folder's own stores are not below.
struct `A store that extends another` {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    // No search goes further up than that.
    try folder.makeFolder("shop/.git")
  }

  private func shop(_ arguments: String..., input: String = "") throws -> Finished { try run(arguments, input: input) }

  private func run(
    _ arguments: [String], input: String, at place: String = "shop", environment: [String: String] = [:]
  ) throws -> Finished {
    let process = try RunningAisle(
      arguments, in: folder, place: place, environment: ["AISLE_TAXONOMIES": ""].merging(environment) { $1 })
    process.feed([Data(input.utf8)])
    return try process.finish(endingInput: false)
  }

  /// The corner shop of the tests.
  private static let corner = """
    store: corner
    name: Corner
    extends: kroger
    sections:
      - name: Fresh
        from: Produce
        keywords: [veg box]
      - name: Larder
        from: [Pantry & Canned Goods, Condiments & Sauces]
        shelves: [nut-butters, trail-mix]
        keywords: ["-nutella"]
      - name: Counter
        color: rose
        shelves: [deli-meat, specialty-cheese]

    """

  @Test func `is made in any folder, and changes nothing until it says so`() throws {
    let made = try shop("stores", "new", "corner", "--extends", "kroger")
    #expect(made.ending == .exited(0), "\(made.diagnostics)")
    #expect(made.diagnostics.hasPrefix("taxonomies/corner.yaml: extends kroger\n"))
    let text = try String(contentsOfFile: "\(folder.path)/shop/taxonomies/corner.yaml", encoding: .utf8)
    #expect(text.split(separator: "\n").count < 30)
    let checked = try shop("stores", "check", "corner")
    #expect(checked.ending == .exited(0), "\(checked.text)")
    #expect(checked.diagnostics == "corner extends kroger: nothing changed\ncorner: no errors\n")
    let items = "oat milk\n2 lbs chicken thighs\nbirthday candles\nCR2032\nxyzzy\ndried basil\nwhole mlik\n"
    let (own, base) = (
      try shop("categorize", "--store", "corner", "--explain", input: items), try shop("categorize", "--explain", input: items)
    )
    #expect(own.ending == .exited(0), "\(own.diagnostics)")
    #expect(own.text == base.text.replacingOccurrences(of: "taxonomies/shelves/", with: "built-in/shelves/"))
    #expect(!own.text.isEmpty)
  }

  @Test func `renames, merges, adds, moves, and takes away`() throws {
    try folder.write(Self.corner, to: "shop/taxonomies/corner.yaml")
    let items = "carrots\nveg box\nspaghetti\nketchup\npeanut butter\nnutella\nprosciutto\noat milk\nbeef jerky\n"
    let finished = try shop("categorize", "--store", "corner", "--chain", "keyword", input: items)
    #expect(
      finished.text == """
        carrots	Fresh
        veg box	Fresh
        spaghetti	Larder
        ketchup	Larder
        peanut butter	Larder
        nutella	Other
        prosciutto	Counter
        oat milk	Dairy & Eggs
        beef jerky	Snacks

        """, "\(finished.text)\(finished.diagnostics)")
    let checked = try shop("stores", "check", "corner")
    #expect(checked.ending == .exited(0) && checked.text == "")
    #expect(
      checked.diagnostics.hasPrefix(
        "taxonomies/corner.yaml:10:15: note: shelf `nut-butters` is in this section already; remove the line\ncorner extends kroger: 1 section renamed, 1 section merged, 1 section added, 3 shelves moved, 1 keyword added, "
          + "1 keyword removed\n"), "\(checked.diagnostics)")
  }

  @Test func `lists what it changes in the order in which it lists it, and leaves the others in their places`() throws {
    try folder.write(
      """
      store: corner
      name: Corner
      extends: kroger
      sections:
        - name: Beverages
        - name: Wine Wall
          shelves: [wine]
        - name: Bakery

      """, to: "shop/taxonomies/corner.yaml")
    let finished = try shop(
      "categorize", "--store", "corner", "--format", "list", "--chain", "keyword", input: "rye bread\nriesling\nkale\ncola\n")
    let heads = finished.text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.split(separator: " ")[0] }
    #expect(heads.map(String.init) == ["Produce", "Beverages", "Wine", "Bakery"], "\(finished.text)")
  }

  @Test func `says that a new shelf is in no section, and what may be meant, unless a store lists it`() throws {
    try folder.write("zorkly spread\n", to: "shop/taxonomies/shelves/nut-butter.txt")
    let checked = try shop("stores", "check", "kroger", "target")
    #expect(
      checked.diagnostics == """
        taxonomies/shelves/nut-butter.txt: note: a new shelf in no section, so its items go to the fallback section; rename the file if \
        you meant `nut-butters`, or list it in a section
        2 stores have layers on top: 1 shelf added, 1 keyword added
        2 stores: no errors

        """, "\(checked.diagnostics)")
    try folder.write(
      "store: corner\nname: Corner\nextends: kroger\nsections:\n  - name: Snacks\n    shelves: [nut-butter]\n",
      to: "shop/taxonomies/corner.yaml")
    #expect(!(try shop("stores", "check", "kroger", "corner").diagnostics.contains("note:")))
    #expect(
      try shop("stores", "check", "corner").diagnostics
        == "corner extends kroger: 1 shelf added, 1 keyword added\ncorner: no errors\n")
  }

  @Test func `has lines for shelves in files beside it, on which explanations and errors stand`() throws {
    try folder.write("store: corner\nname: Corner\nextends: kroger\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("# ours\nhouse spread\n-nutella\n-no such thing\n", to: "shop/taxonomies/shelves/nut-butters.txt")
    let checked = try shop("stores", "check", "corner")
    #expect(checked.ending == .exited(0) && checked.text == "")
    #expect(
      checked.diagnostics.hasPrefix(
        "taxonomies/shelves/nut-butters.txt:4:1: note: `-no such thing` removes nothing: shelf `nut-butters` below has no keyword "
          + "`no such thing`; remove the line\n"), "\(checked.diagnostics)")
    try folder.write("# ours\nhouse spread\n-nutella\n", to: "shop/taxonomies/shelves/nut-butters.txt")
    let finished = try shop(
      "categorize", "--chain", "keyword", "--explain", "--store", "corner", input: "house spread\nnutella\n")
    #expect(finished.text.contains("taxonomies/shelves/nut-butters.txt:2"), "\(finished.text)")
    #expect(finished.text.contains("nutella\tOther\t"))
    // The line counts for every store that is below, too.
    #expect(try shop("categorize", "--chain", "keyword", input: "house spread\n").text == "house spread\tCondiments & Sauces\n")
  }

  @Test func `has keywords that take the place of those below`() throws {
    try folder.write(
      "store: corner\nname: Corner\nextends: kroger\nsections:\n  - name: Snacks\n    keywords: [oat milk, potato chips, greek yoghurt, -xyzzy]\n",
      to: "shop/taxonomies/corner.yaml")
    #expect(
      try shop("categorize", "--store", "corner", "--chain", "keyword", "--item", "oat milk", "--item", "greek yogurt").text
        == "oat milk\tSnacks\ngreek yogurt\tSnacks\n")
    let checked = try shop("stores", "check", "corner")
    #expect(checked.ending == .exited(0), "\(checked.text)")
    let notes = checked.diagnostics.split(separator: "\n").filter { $0.contains("note:") }
    #expect(
      notes.map { $0.prefix { $0 != "," } } == [
        "taxonomies/corner.yaml:6:55: note: `-xyzzy` removes nothing: kroger has no keyword `xyzzy` or a shelf file removes it; delete this entry"
      ], "\(checked.diagnostics)")
  }

  @Test func `keeps what is taken away and added again, and lists new sections where they are listed`() throws {
    try folder.write(
      "store: corner\nname: Corner\nextends: kroger\nsections:\n  - name: A\n    keywords: [nutella, \"-nutella\"]\n  - name: B\n"
        + "    shelves: [wine]\n  - name: Produce\n",
      to: "shop/taxonomies/corner.yaml")
    let finished = try shop(
      "categorize", "--store", "corner", "--chain", "keyword", "--format", "list", "--item", "nutella", "--item", "riesling",
      "--item", "kale")
    let heads = finished.text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix(1) }
    #expect(heads == ["A", "B", "P"], "\(finished.text)")
  }

  @Test func `leaves no folder that is complete by mistake`() throws {
    try folder.write("store: corner\nname: Corner\nextends: kroger\n", to: "shop/taxonomies/corner.yaml")
    let refused = try shop("stores", "new", "joes")
    #expect(refused.ending == .exited(2))
    #expect(refused.diagnostics.contains("use --extends"))
    try folder.write("store: odd\nname: Odd\n\"extends\" : kroger\n", to: "shop/taxonomies/odd.yaml")
    #expect(try shop("stores", "check").ending == .exited(0))
    let made = try shop("stores", "new", "third", "--extends", "corner", "--taxonomies", "elsewhere")
    #expect(made.ending == .exited(0), "\(made.diagnostics)")
    let missing = try shop("stores", "new", "fourth", "--extends", "krogr", "--taxonomies", "nowhere")
    #expect(missing.ending == .exited(2))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/shop/nowhere"))
  }

  @Test func `is tuned in the topmost folder`() throws {
    try folder.write("store: corner\nname: Corner\nextends: kroger\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("glorp milk\tmilk\nnutella\tOther\n", to: "items.tsv")
    let finished = try shop(
      "tune", "try", "+milk: glorp milk", "-nut-butters: nutella", "--store", "corner", "--corpus", "../items.tsv", "--apply")
    #expect(finished.ending == .exited(0), "\(finished.text)\(finished.diagnostics)")
    let files = try ["milk", "nut-butters"].map {
      try String(contentsOfFile: "\(folder.path)/shop/taxonomies/shelves/\($0).txt", encoding: .utf8)
    }
    #expect(files == ["glorp milk\n", "-nutella\n"])
    #expect(
      finished.text.contains(/-nut-butters: nutella +taxonomies\/shelves\/nut-butters.txt:1 +won 1, lost 0/), "\(finished.text)"
    )
    #expect(try shop("stores", "check", "corner").ending == .exited(0))
    #expect(
      try shop("categorize", "--store", "corner", "--chain", "keyword", "--item", "glorp milk", "--item", "nutella").text
        == "glorp milk\tDairy & Eggs\nnutella\tOther\n")
  }

  @Test(
    arguments: [
      (["+nut-butters: nutella"], "# ours\n-nutella\n", "# ours\n"),
      (["+nut-butters: ~nutella"], "# ours\n-nutella\n", "# ours\n~nutella\n"),
      (["-nut-butters: nutella", "+nut-butters: ~nutella"], "# ours\n", "# ours\n~nutella\n"),
    ])
  func `gets no line from tuning that another one contradicts`(changes: [String], before: String, after: String) throws {
    try folder.write("store: corner\nname: Corner\nextends: kroger\n", to: "shop/taxonomies/corner.yaml")
    try folder.write(before, to: "shop/taxonomies/shelves/nut-butters.txt")
    try folder.write("nutella\tOther\n", to: "items.tsv")
    let finished = try run(["tune", "try", "--store", "corner", "--corpus", "../items.tsv", "--apply"] + changes, input: "")
    #expect(finished.ending == .exited(0), "\(finished.text)\(finished.diagnostics)")
    #expect(try String(contentsOfFile: "\(folder.path)/shop/taxonomies/shelves/nut-butters.txt", encoding: .utf8) == after)
  }

  @Test func `has errors where a folder adds a keyword twice, and notes where a file takes away what it adds`() throws {
    try folder.write("store: corner\nname: Corner\nextends: kroger\n", to: "shop/taxonomies/corner.yaml")
    for shelf in ["milk", "nut-butters"] { try folder.write("glorp\n", to: "shop/taxonomies/shelves/\(shelf).txt") }
    let twice = try shop("stores", "check", "corner")
    #expect(twice.ending == .exited(1))
    #expect(twice.text.contains("keyword `glorp` already exists in "), "\(twice.text)\(twice.diagnostics)")
    try folder.write("-nutella\nnutella\n", to: "shop/taxonomies/shelves/nut-butters.txt")
    let both = try shop("stores", "check", "corner")
    #expect(both.ending == .exited(0))
    #expect(
      both.diagnostics.hasPrefix(
        "taxonomies/shelves/nut-butters.txt:1:1: note: `-nutella` has no effect, since line 2 adds it again; remove one of the two\n"
      ), "\(both.diagnostics)")
  }

  @Test(
    arguments: [
      ("extends: krogr", "corner.yaml:3:10: extends an unknown store: `krogr`; did you mean `kroger`?"),
      ("extends: corner", "corner.yaml:3:10: `corner` extends itself, and no store of that name is below it; name another"),
      (
        "extends: kroger\nsections:\n  - name: A\n    from: Produse",
        "corner.yaml:6:11: kroger has no section `Produse`; did you mean `Produce`?"
      ),
      (
        "extends: kroger\nsections:\n  - name: A\n    from: Produce\n  - name: B\n    from: [Produce]",
        "corner.yaml:8:12: section `Produce` is taken twice; remove it here or from `A`"
      ),
      (
        "extends: kroger\nsections:\n  - name: X\n  - name: X\n  - name: A\n    from: Produce\n  - name: B\n    from: Produce",
        "corner.yaml:10:11: section `Produce` is taken twice; remove it here or from `A`"
      ),
      ("extends: kroger\nsections:\n  - name: A\n    shelves: [appels]", "corner.yaml:6:15: no shelf `appels`"),
      ("extends: kroger\nmatch_order: [Other, Other]", "corner.yaml:4:22: section `Other` appears twice in `match_order`"),
      ("extends: kroger\nfallback: Othr", "corner.yaml:4:11: no section `Othr`; did you mean `Other`?"),
      (
        "extends: kroger\nsections:\n  - name: Produce\n    from: Bakery",
        "corner.yaml:5:11: kroger has a section `Produce` too; add it to `from`, or choose another name"
      ),
    ])
  func `says what is wrong, where, and what to do`(lines: String, message: String) throws {
    try folder.write("store: corner\nname: Corner\n\(lines)\n", to: "shop/taxonomies/corner.yaml")
    let finished = try shop("stores", "check", "corner")
    #expect(finished.ending != .exited(0))
    #expect((finished.text + finished.diagnostics).contains(message), "\(finished.text)\(finished.diagnostics)")
  }

  @Test func `that cannot be put together hides no other mistakes`() throws {
    try folder.write("store: corner\nname: Corner\nextends: krogr\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("store: round\nname: Round\nextends: square\n", to: "shop/taxonomies/round.yaml")
    try folder.write("store: square\nname:\nextends: round\n", to: "shop/taxonomies/square.yaml")
    try folder.write("store: third\nname: ' '\nextends: kroger\n", to: "shop/taxonomies/third.yaml")
    let finished = try shop("stores", "check")
    #expect(finished.ending == .exited(1), "\(finished.diagnostics)")
    for part in [
      "corner.yaml:3:10: extends an unknown store: `krogr`; did you mean `kroger`?", "round.yaml:3:10: extends itself",
      "third.yaml:2:7: the store's name must not be blank",
    ] {
      #expect(finished.text.contains(part), "\(finished.text)")
    }
  }

  @Test func `is made where its commands find it, though all stores are in the user's folder`() throws {
    try folder.write("store: mine\nname: Mine\nextends: kroger\n", to: "settings/aisle/taxonomies/mine.yaml")
    for arguments in [["stores", "new", "corner", "--extends", "mine"], ["stores", "add-section", "Pets", "--store", "kroger"]] {
      let finished = try run(arguments, input: "", environment: ["XDG_CONFIG_HOME": "\(folder.path)/settings"])
      #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/shop/taxonomies"))
    for name in ["corner", "kroger"] {
      #expect(FileManager.default.fileExists(atPath: "\(folder.path)/settings/aisle/taxonomies/\(name).yaml"))
    }
  }

  @Test func `lies on the user's own folder, and that on what is compiled in`() throws {
    try folder.write("store: mine\nname: Mine\nextends: kroger\n", to: "settings/aisle/taxonomies/mine.yaml")
    try folder.write("glorp\n", to: "settings/aisle/taxonomies/shelves/milk.txt")
    try folder.write("store: corner\nname: Corner\nextends: mine\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("-glorp\nblorp\n", to: "shop/taxonomies/shelves/milk.txt")
    func ask(_ store: String, at place: String) throws -> String {
      try run(
        ["categorize", "--store", store, "--chain", "keyword"], input: "glorp\nblorp\n", at: place,
        environment: ["XDG_CONFIG_HOME": "\(folder.path)/settings"]
      ).text
    }
    try folder.makeFolder("empty/.git")
    #expect(try ask("mine", at: "empty") == "glorp\tDairy & Eggs\nblorp\tOther\n")
    #expect(try ask("kroger", at: "empty") == "glorp\tDairy & Eggs\nblorp\tOther\n")
    #expect(try ask("corner", at: "shop") == "glorp\tOther\nblorp\tDairy & Eggs\n")
    #expect(try ask("mine", at: "shop") == "glorp\tOther\nblorp\tDairy & Eggs\n")
  }

  @Test func `gets keywords of its own from tuning, and lists their section where it stands`() throws {
    try folder.write("store: corner\nextends: kroger\nsections: []\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("flapjack\tSnacks\noat flapjack\tSnacks\nkale\tProduce\nmilk\tDairy & Eggs\n", to: "shop/corpus/items.tsv")
    let suggested = try run(["tune", "suggest", "--store", "corner", "--limit", "40"], input: "")
    #expect(suggested.ending == .exited(0), "\(suggested.diagnostics)")
    #expect(suggested.text.contains("  +Snacks: flapjack\n"), "\(suggested.text)")
    let applied = try run(["tune", "try", "--store", "corner", "+Snacks: flapjack", "--apply"], input: "")
    #expect(applied.ending == .exited(0), "\(applied.diagnostics)")
    #expect(applied.text.contains("won 2, lost 0"), "\(applied.text)")
    let written = try String(contentsOfFile: "\(folder.path)/shop/taxonomies/corner.yaml", encoding: .utf8)
    #expect(
      written.hasPrefix("store: corner\nextends: kroger\nsections:\n  - name: Snacks\n    keywords:\n      - flapjack\n"),
      "\(written)")
    #expect(try shop("categorize", "--store", "corner", "--item", "flapjack").text == "flapjack\tSnacks\n")
    #expect(try shop("categorize", "--item", "flapjack").text == "flapjack\tBakery\n", "the store below stays as it is")
    #expect(try shop("stores", "check", "corner").ending == .exited(0))
  }

  @Test func `fits on its own items once its weights name them`() throws {
    try folder.write("store: corner\nextends: kroger\nsections: []\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("kale\tProduce\nmilk\tDairy & Eggs\nham\tMeat & Seafood\n", to: "shop/corpus/mine.tsv")
    let refused = try shop("tune", "fit", "--store", "corner")
    #expect(refused.ending == .exited(2))
    #expect(
      refused.diagnostics.contains("write `fitted on = mine` in the weights.txt of your taxonomies folder"),
      "\(refused.diagnostics)")
    try folder.write("fitted on = mine\n", to: "shop/taxonomies/weights.txt")
    let fitted = try shop("tune", "fit", "--store", "corner")
    #expect(fitted.ending == .exited(0), "\(fitted.diagnostics)")
    #expect(
      fitted.diagnostics.contains("to fit on: the numbers follow chance more than your store; label 300 before you use them"))
  }

  @Test func `is compared with the store that it extends`() throws {
    try folder.write(Self.corner, to: "shop/taxonomies/corner.yaml")
    let text = try shop("stores", "diff", "kroger", "corner").text
    #expect(text.hasPrefix("Kroger → Corner · 12 sections → "), "\(text)")
    #expect(text.contains("nut-butters") && text.contains("Counter") && text.contains("veg box"), "\(text)")
  }

  @Test func `is watched on every layer`() throws {
    try folder.write("store: corner\nextends: kroger\nsections: []\n", to: "shop/taxonomies/corner.yaml")
    try folder.write("# Mine.\n", to: "config/aisle/taxonomies/shelves/granola-bars.txt")
    try folder.write("flapjack\tSnacks\n", to: "shop/corpus/items.tsv")
    let running = try RunningAisle(
      ["eval", "--watch", "--store", "corner"], in: folder, place: "shop",
      environment: ["AISLE_TAXONOMIES": "", "XDG_CONFIG_HOME": "\(folder.path)/config"])
    try running.waitForOutput { String(decoding: $0, as: UTF8.self).contains("press Ctrl-C to stop\n") }
    try folder.write("flapjack\n", to: "config/aisle/taxonomies/shelves/granola-bars.txt")
    try running.waitForOutput { String(decoding: $0, as: UTF8.self).contains("won: 1\n") }
    try folder.write("-flapjack\n", to: "shop/taxonomies/shelves/granola-bars.txt")
    try running.waitForOutput { String(decoding: $0, as: UTF8.self).contains("lost: 1\n") }
    running.signal(SIGINT)
    #expect(try running.finish(endingInput: false).ending == .exited(130))
  }
}
