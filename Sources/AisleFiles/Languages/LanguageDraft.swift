/// The files of a language to begin with.
public enum LanguageDraft {
  /// The files' names in the language's folder, with their text.
  ///
  /// - Parameter name: What the language is called in English.
  public static func files(_ id: String, named name: String) -> [(name: String, text: String)] {
    [
      ("grammar.txt", grammar(id, name)), ("moves.txt", moves), ("spellings.txt", spellings),
      ("shelves/milk.txt", "# Milk of cows and goats, fresh or long-life. Write the shelf's everyday words here, one a line.\n"),
    ]
  }

  private static func grammar(_ id: String, _ name: String) -> String {
    """
    # How \(name) names products. Words are separated by spaces or commas.
    name: \(name)
    english: \(name)
    # last, as in `apple juice`, or first, as in `leche de avena`.
    head: last
    # `cuts` if the part before an apostrophe is a separate word: d'oliva
    apostrophe: joins
    # Alternative spellings of letters, beyond dropping accents: ä = ae, ö = oe
    letters:
    # The endings by which the forms of a word differ, without accents: en er e n s; `aux=al` where one stands for another.
    endings:
    # yes if the language forms compounds; `links` are the letters between their parts.
    compounds: no
    links:
    # Units, packages, sizes, numbers.
    measure: kg g l ml
    # Words that count or size pieces after a number: large, slices. Most of them are measures too.
    counts:
    # What a cook does: chopped, peeled.
    prepares:
    # and, or, plus
    adds:
    # with
    joins:
    # in, from, on
    in:
    # for, without
    excludes:
    # of
    of:
    # flavor, style
    flavors:
    # free, as in sugar free
    unsays-before:
    # no, not
    unsays-after:
    # Articles, please, buy, fresh, organic.
    filler:

    """
  }

  private static let moves = """
    # Words that move products as a word of ../../moves.txt does.
    # frozen: surgelé, surgelés
    # canned: en conserve

    """

  private static let spellings = """
    # variant, variant = the word as it stands on a shelf

    """
}
