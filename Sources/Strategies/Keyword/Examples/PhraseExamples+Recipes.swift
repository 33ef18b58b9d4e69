extension PhraseExamples {
  /// What is counted or weighed by the piece is bought as it grows: a preparation after it is the cook's work, and names no other product.
  /// Volumes, ounces, and packages count no pieces.
  static let pieces = Topic(
    "a preparation after counted pieces",
    [
      "4 roma tomatoes, diced": .produce,
      "4 roma tomatoes diced": .produce,
      "2 large beets, sliced": .produce,
      "2 onions, minced": .produce,
      "3 lb potatoes, peeled and mashed": .produce,
      "1 1/2 lb tomatoes, peeled and crushed": .produce,
      "2 red peppers, roasted": .produce,
      "1 lb cod, breaded": .meat,
      "2 jalapenos, pickled": .condiments,
      "1 apple, dried": .snacks,
      "tomatoes, diced": .pantry,
      "2 cans tomatoes, diced": .pantry,
      "28 oz tomatoes, crushed": .pantry,
      "beets, sliced": .pantry,
      "3 carrots, peeled and grated": .produce,
      "5 potatoes, cubed": .produce,
    ])

  /// Another amount after "and", "or", or "plus" is of another product, which only accompanies the first.
  static let otherAmounts = Topic(
    "another amount",
    [
      "1 cup butter or 1/2 cup oil": .dairy,
      "1 tbsp fresh thyme or 1 tsp dried": .produce,
      "2 tbsp cornstarch plus 2 tbsp water": .pantry,
      "1 lb ground beef and 1 lb ground pork": .meat,
      "1 cup sugar and 2 tbsp water": .pantry,
      "1 cup milk or 1 cup cream": .dairy,
      "2 tbsp soy sauce plus 1 tbsp honey": .international,
      "1/2 cup walnuts or 1/2 cup raisins": .snacks,
      "1 lb spaghetti or 1 lb ground beef": .pantry,
      "2 eggs and 1 cup flour": .dairy,
      "1 cup flour plus 2 tablespoons butter": .pantry,
      "3 limes or 2 tbsp lime juice": .produce,
      "1 cup yogurt or 1 cup mayonnaise": .dairy,
      "2 cups broth or 2 cups wine": .pantry,
      "bread and 2 eggs": .bakery,
    ])

  /// Catalogs put the name of a class first: a few words that name no product as they stand are read with the first one last.
  static let turnedRound = Topic(
    "the first word last",
    [
      "dressing blue cheese": .condiments,
      "noodles egg": .pantry,
      "beans green": .produce,
      "chips tortilla": .snacks,
      "water rose": .international,
      "stock beef": .pantry,
      "milk almond": .dairy,
      "pie pumpkin": .produce,
      "cake rice": .snacks,
      "tea green": .beverages,
      "cookies chocolate chip": .snacks,
      "bread banana": .bakery,
      "jam strawberry": .condiments,
      "soup tomato": .pantry,
      "sauce soy": .international,
      "Bread Banana, 12 oz": .bakery,
      "Milk Almond (64 fl oz)": .dairy,
    ])
}
