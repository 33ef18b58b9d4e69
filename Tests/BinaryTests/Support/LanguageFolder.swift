import Foundation

/// A scratch folder whose small stores are read in German too.
enum LanguageFolder {
  static let grammar = """
    name: Deutsch
    english: German
    head: last
    letters: ä = ae, ö = oe, ü = ue, ß = ss
    endings: en n e
    compounds: yes
    links: s n
    joins: mit
    measure: kg liter
    filler: bitte

    """

  static func make() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write(grammar, to: "taxonomies/languages/de/grammar.txt")
    try folder.write("milch\nhafermilch\n", to: "taxonomies/languages/de/shelves/milk.txt")
    try folder.write("grünkohl\nkohl\n", to: "taxonomies/languages/de/shelves/greens.txt")
    try folder.write("schokolade\nlakritze\n", to: "taxonomies/languages/de/shelves/candy.txt")
    return folder
  }
}
