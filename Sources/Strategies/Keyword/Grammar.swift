/// The function words of items: which words are quantities, where a head ends, what unsays a word.
///
/// These are English as people write it on lists, labels and recipes. Goods belong to the shelves, never here.
enum Grammar {
  /// What a word does in an item, as bits in the word table.
  struct Role: OptionSet {
    let rawValue: UInt32
    /// A quantity, unit, size or package: no evidence, and "bag of" does not end a head.
    static let measure = Role(rawValue: 1)
    /// Ends the head: what follows only accompanies ("with", "in", "of").
    static let joins = Role(rawValue: 2)
    /// Ends the head: what follows is a purpose or a lack ("for", "without").
    static let excludes = Role(rawValue: 4)
    /// "of": ends the head unless a measure stands before it.
    static let of = Role(rawValue: 8)
    /// Makes a flavor of the good before it ("flavored", "scented", "style").
    static let flavors = Role(rawValue: 16)
    /// Unsays the good before it ("free").
    static let unsaysBefore = Role(rawValue: 32)
    /// Unsays the good after it ("no", "non"), or makes it a condition ("if").
    static let unsaysAfter = Role(rawValue: 64)
    /// Stands in `moves.txt`.
    static let moves = Role(rawValue: 128)
    /// A word without content ("and", "the", "fresh").
    static let filler = Role(rawValue: 256)
    /// Counts, sizes, or weighs pieces of a product, after a number ("2 large", "3 lb").
    static let counts = Role(rawValue: 512)
    /// What a cook does with a product ("diced").
    static let prepares = Role(rawValue: 1024)
    /// Adds another amount, before a number ("or 1/2 cup").
    static let adds = Role(rawValue: 2048)
    /// Roles of words that are no evidence of their own.
    static let silent: Role = [.measure, .joins, .excludes, .of, .flavors, .unsaysBefore, .unsaysAfter, .filler]
  }

  static let words: [(Role, String)] = [
    (
      .measure,
      """
      lb lbs pound pounds oz ounce ounces fl floz g gram grams gm kg kilo kilos kilogram mg ml milliliter l liter liters litre litres
      gal gallon gallons qt quart quarts pt pint pints cup cups c tbsp tablespoon tablespoons tsp teaspoon teaspoons pinch dash
      ct count pk pack packs packet packets pkg package packages pkt piece pieces pc pcs each ea dozen doz half quarter third
      couple few some several small medium large xl lg sm med jumbo mini big little bag bags box boxes can cans tin tins jar jars
      bottle bottles carton cartons tub tubs tube tubes roll rolls case cases crate tray trays container containers pouch pouches
      sachet sachets sleeve sleeves bunch bunches head heads bundle bundles stalk stalks clove cloves sprig sprigs slice slices
      loaf loaves stick sticks block blocks wheel wedge wedges ear ears handful bulb bulbs jug jugs canister keg multipack variety
      inch inches in cm mm size sized family value club bulk single singles double triple twin serving servings one two three
      four five six seven eight nine ten twelve x x2 x3 x4 x5 x6 x8 x10 x12 dz bn bch ctn bx pkgs
      """
    ),
    (
      .counts,
      """
      small medium large big half lb lbs pound pounds slice slices clove cloves stalk stalks sprig sprigs ear ears head heads piece
      pieces fresh whole ripe
      """
    ),
    (
      .prepares,
      """
      diced sliced chopped minced mashed crushed crumbled shredded grated cubed julienned quartered halved peeled roasted toasted
      grilled fried breaded pureed seeded cored deveined trimmed
      """
    ),
    (.adds, "and or plus"),
    (.joins, "with in from over served"),
    (.excludes, "for without"),
    (.of, "of"),
    (.flavors, "flavored flavor flavoured flavour flavors scented scent style seasoned infused inspired blend taste tasting"),
    (.unsaysBefore, "free"),
    (.unsaysAfter, "no non not if"),
    (
      .filler,
      """
      and or the a an my our fresh organic natural all pure premium real original classic traditional new best choice quality
      brand please need get buy more extra good nice any sale about approx large
      """
    ),
  ]
}
