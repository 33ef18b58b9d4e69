/// A folder with a small store to tune: some keywords mislead, some are missing, and some do nothing.
enum TuningFolder {
  static func make() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write("# Leaves.\nkale\nspinach   # also frozen\n?leafy\n", to: "taxonomies/shelves/greens.txt")
    try folder.write("# Milk.\nmilk\n\noat milk\nOat-Milk\n", to: "taxonomies/shelves/milk.txt")
    try folder.write("# Sweets.\nchocolate\nlicorice\nsoy\n", to: "taxonomies/shelves/candy.txt")
    try folder.write(
      "patterns:\n  - name: only-leafy\n    shelf: candy\n    expression: '^leafy$'\n    matches: [leafy]\n    rejects: [kale]\n",
      to: "taxonomies/patterns/odd.yaml")
    try folder.write(corpus, to: "corpus/items.tsv")
    return folder
  }

  /// `chard`, `toffee` and `butter toffee` are of the holdout, all others of the tuning split.
  private static let corpus = """
    kale	greens	x
    baby kale	greens	x
    kale chips	candy	x
    rainbow chard	greens	x
    red chard	greens	x
    green chard	greens	x
    chard	greens	x
    milk	milk	x
    chocolate milk	milk	x
    hot chocolate	milk	x
    dark chocolate	candy	x
    milk chocolate	candy	x
    soy milk	milk	x
    warm soy milk	milk	x
    sweet soy milk	milk	x
    toffee	candy	x
    butter toffee	candy	x

    """
}
