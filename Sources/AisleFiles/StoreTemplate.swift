import AisleCore

/// The sections that a new store begins with: those of a supermarket as most are.
enum StoreTemplate {
  struct Section: Sendable {
    let name: String
    let color: SectionColor
    let remark: String?
    let shelves: [String]

    init(_ name: String, _ color: SectionColor, remark: String? = nil, _ shelves: String) {
      self.name = name
      self.color = color
      self.remark = remark
      self.shelves = shelves.split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  /// In walking order; the last is the fallback.
  static let sections = [
    Section(
      "Produce", .emerald, remark: "Is the tofu here, with the dairy, or with the international foods?",
      """
      apples-and-pears berries-and-grapes citrus stone-fruit melons tropical-fruit leafy-greens packaged-salads
      root-vegetables potatoes onions-and-garlic peppers tomatoes squash-and-cucumbers brassicas fresh-beans-peas-and-corn
      asian-vegetables latin-produce mushrooms fresh-herbs cut-fruit-and-vegetables tofu-and-tempeh
      """),
    Section("Flowers", .rose, "flowers-and-plants"),
    Section(
      "Bakery", .amber, remark: "Some stores keep packaged bread in an aisle, and tortillas with the taco shells.",
      """
      artisan-bread breakfast-pastries cakes-and-cupcakes pies-and-tarts sliced-bread buns-and-rolls
      bagels-and-english-muffins tortillas-and-flatbreads pita-and-naan
      """),
    Section(
      "Deli", .fuchsia, remark: "Prepared food, sliced meat, specialty cheese, and dips, including hummus and sour cream.",
      "deli-meat specialty-cheese chilled-meals-and-fresh-pasta sour-cream-and-chilled-dips"),
    Section(
      "Meat & Seafood", .red,
      """
      beef corned-beef ground-meat pork chicken turkey-and-poultry lamb-veal-and-game offal-and-bones bacon
      sausages-and-hot-dogs plant-based-meat fish shellfish smoked-fish-and-roe
      """),
    Section(
      "Dairy & Eggs", .blue, remark: "In Britain, eggs are with the baking products or the bread.",
      """
      milk plant-milk cream-and-creamers butter-and-margarine eggs yogurt kefir-and-drinkable-yogurt block-and-sliced-cheese
      shredded-cheese cheese-snacks cream-cheese cottage-cheese-and-ricotta refrigerated-dough biscuits chilled-desserts
      """),
    Section(
      "Frozen", .cyan,
      """
      frozen-vegetables frozen-fruit frozen-potatoes frozen-meals quiche frozen-pizza frozen-breakfast frozen-appetizers
      frozen-meat-and-poultry frozen-seafood frozen-plant-based frozen-dough-and-bread frozen-juice-and-ice ice-cream
      frozen-novelties frozen-desserts
      """),
    Section(
      "Breakfast & Spreads", .lime, remark: "Are peanut butter, jam, and honey here, or with the bread?",
      "cereal oatmeal-and-hot-cereal syrup-and-molasses nut-butters jam-and-jelly jelly honey"),
    Section(
      "Baking & Spices", .rose,
      """
      flour sugar-and-sweeteners baking-ingredients baking-chips-and-decorations baking-mixes gelatin-and-pudding-mix
      pie-filling-and-crusts canned-and-powdered-milk spices coriander seasoning-blends salt-and-pepper
      breadcrumbs-and-coatings
      """),
    Section(
      "Pasta, Rice & Cans", .orange,
      """
      pasta pasta-sauce rice grains dried-beans-and-lentils boxed-dinners instant-potatoes-and-stuffing gravy canned-beans
      canned-vegetables canned-tomatoes canned-fruit canned-fish canned-meat canned-meals soup broth-and-stock
      """),
    Section(
      "Condiments & Oils", .yellow,
      """
      ketchup mustard mayonnaise barbecue-and-steak-sauce hot-sauce horseradish-and-table-sauces pickles-and-relish
      olives-and-capers salad-dressing marinades-and-cooking-sauces oils vinegar
      """),
    Section(
      "International", .purple,
      """
      soy-and-asian-sauces curry-paste-and-sauce asian-noodles miso-kimchi-and-ferments seaweed-and-sushi coconut-milk
      asian-pantry latin-pantry salsa-and-guacamole indian-pantry middle-eastern-pantry kosher european-and-british-imports
      british-spreads british-pickles british-tins british-puddings british-packets british-baking
      african-and-caribbean-pantry
      """),
    Section(
      "Snacks", .pink,
      """
      potato-chips chips tortilla-chips pretzels popcorn puffed-snacks rice-cakes snack-packs-and-dips crackers cookies nuts
      seeds dried-fruit trail-mix jerky granola-bars protein-bars fruit-snacks
      """),
    Section("Candy", .violet, "chocolate candy gum-and-mints"),
    Section(
      "Drinks", .teal,
      """
      water sparkling-water coconut-and-plant-waters soda juice cider lemonade-and-fruit-drinks sports-drinks energy-drinks
      iced-tea-and-kombucha coffee-drinks smoothies-and-protein-shakes drink-mixes coffee tea hot-chocolate-and-malt
      """),
    Section(
      "Beer, Wine & Spirits", .fuchsia, remark: "Where grocery stores may not sell these, move them to the fallback section.",
      "beer wine cider-and-seltzer-alcoholic spirits bourbons mixers-and-bitters"),
    Section(
      "Household", .slate,
      """
      paper-towels toilet-paper facial-tissue napkins disposable-tableware trash-bags food-storage laundry
      dish-soap-and-dishwasher surface-cleaners cleaning-tools air-fresheners pest-control batteries light-bulbs
      candles-and-lighters kitchenware hardware-and-tools office-and-school garden-and-automotive
      """),
    Section(
      "Health & Beauty", .indigo, remark: "Including the pharmacy, if there is one.",
      """
      soap-and-body-wash hair-care oral-care deodorant skin-care-and-sunscreen cosmetics shaving
      feminine-and-incontinence-care pain-and-fever cold-and-allergy digestive-health first-aid vitamins-and-supplements
      """),
    Section("Baby", .sky, "baby-food-and-formula baby-care"),
    Section("Pets", .lime, "dog-food-and-supplies cat-food-and-supplies other-pets"),
    Section(
      "Other", .gray, remark: "Undecided items, errands, and what the store does not sell.",
      "cards-and-gift-wrap toys-books-and-electronics clothing tobacco errands-and-services"),
  ]
}
