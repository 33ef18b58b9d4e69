extension PhraseExamples {
  /// Frozen takes any food to the freezers, before it or after the comma.
  /// It is no evidence where the good is frozen anyway.
  static let frozen = Topic(
    "frozen moves food",
    [
      "frozen peas": .frozen,
      "frozen corn": .frozen,
      "frozen spinach": .frozen,
      "frozen broccoli florets": .frozen,
      "frozen strawberries": .frozen,
      "frozen mango chunks": .frozen,
      "frozen shrimp": .frozen,
      "frozen chicken breasts": .frozen,
      "frozen hamburger patties": .frozen,
      "frozen salmon fillets": .frozen,
      "frozen lasagna": .frozen,
      "frozen burritos": .frozen,
      "frozen pizza": .frozen,
      "frozen waffles": .frozen,
      "frozen bagels": .frozen,
      "frozen bread dough": .frozen,
      "frozen orange juice": .frozen,
      "frozen yogurt": .frozen,
      "frozen rhubarb": .frozen,
      "frozen venison": .frozen,
      "frozen tilapia": .frozen,
      "strawberries, frozen": .frozen,
      "peas (frozen)": .frozen,
      "bag of frozen green beans": .frozen,
    ])

  /// Canned, tinned and "can of" take fruit, vegetables, fish, meat and beans to the cans.
  /// So does what only cans hold: in water, in oil, in syrup.
  static let canned = Topic(
    "canned moves food",
    [
      "canned corn": .pantry,
      "canned peaches": .pantry,
      "canned pineapple": .pantry,
      "canned green beans": .pantry,
      "canned spinach": .pantry,
      "canned pumpkin": .pantry,
      "canned tomatoes": .pantry,
      "canned mushrooms": .pantry,
      "canned tuna": .pantry,
      "canned salmon": .pantry,
      "canned chicken": .pantry,
      "canned chili": .pantry,
      "canned okra": .pantry,
      "canned gooseberries": .pantry,
      "can of corn": .pantry,
      "can of peas": .pantry,
      "2 cans tuna": .pantry,
      "3 cans diced tomatoes": .pantry,
      "corn, canned": .pantry,
      "tinned tomatoes": .pantry,
      "tuna in water": .pantry,
      "tuna in olive oil": .pantry,
      "anchovies in oil": .pantry,
      "sardines in tomato sauce": .pantry,
      "peaches in light syrup": .pantry,
      "pineapple chunks in juice": .pantry,
    ])

  /// Dried and powdered herbs and aromatics are spices, dried fruit is a snack, dried beans are dried beans.
  /// Fresh is no evidence, and ground says nothing of meat and coffee.
  static let dried = Topic(
    "dried and ground",
    [
      "dried basil": .pantry,
      "dried oregano": .pantry,
      "dried parsley": .pantry,
      "dried dill": .pantry,
      "dried tarragon": .pantry,
      "basil, dried": .pantry,
      "dry thyme": .pantry,
      "garlic powder": .pantry,
      "onion powder": .pantry,
      "ground ginger": .pantry,
      "ground cinnamon": .pantry,
      "dried beans": .pantry,
      "dry black beans": .pantry,
      "dried mango": .snacks,
      "dried apricots": .snacks,
      "dried cranberries": .snacks,
      "dried bananas": .snacks,
      "dried persimmons": .snacks,
      "freeze dried strawberries": .snacks,
      "dehydrated apples": .snacks,
      "fresh basil": .produce,
      "fresh ginger": .produce,
      "fresh parsley": .produce,
      "ground turkey": .meat,
      "ground pork": .meat,
      "ground coffee": .beverages,
    ])

  /// Baby moves goods for babies, but baby vegetables, ribs and cheeses are merely small.
  /// What is for babies stays together whatever it tastes of.
  static let baby = Topic(
    "baby moves goods, not vegetables",
    [
      "baby wipes": .other,
      "baby food": .other,
      "baby formula": .other,
      "baby cereal": .other,
      "baby shampoo": .other,
      "baby lotion": .other,
      "baby oil": .other,
      "baby powder": .other,
      "baby bottles": .other,
      "banana baby food": .other,
      "baby food, sweet potato": .other,
      "infant formula": .other,
      "toddler snacks": .other,
      "baby carrots": .produce,
      "baby spinach": .produce,
      "baby kale": .produce,
      "baby arugula": .produce,
      "baby bok choy": .produce,
      "baby potatoes": .produce,
      "baby bella mushrooms": .produce,
      "baby back ribs": .meat,
      "baby swiss": .dairy,
    ])

  /// What is for pets stands with the pet goods, whatever it is made of.
  /// Words that merely sound like pets stay where they are.
  static let pet = Topic(
    "for pets",
    [
      "dog food": .other,
      "cat food": .other,
      "chicken dog food": .other,
      "tuna cat food": .other,
      "dog treats": .other,
      "salmon cat treats": .other,
      "peanut butter dog biscuits": .other,
      "dog shampoo": .other,
      "pet shampoo": .other,
      "dog toothpaste": .other,
      "cat toys": .other,
      "cat litter": .other,
      "fish food": .other,
      "bird seed": .other,
      "puppy pads": .other,
      "rabbit food": .other,
      "dog bones": .other,
      "beef bones for dogs": .other,
      "treats for the cat": .other,
      "hot dogs": .meat,
      "catfish": .meat,
      "hush puppies": .frozen,
    ])

  /// Some preparations make another good: pickled, smoked, chocolate-covered, breaded, instant.
  /// Others leave it where it is: diced, sliced, chopped, peeled.
  static let preparations = Topic(
    "preparations",
    [
      "pickled beets": .condiments,
      "pickled onions": .condiments,
      "pickled jalapenos": .condiments,
      "pickled okra": .condiments,
      "chocolate covered raisins": .snacks,
      "chocolate covered pretzels": .snacks,
      "chocolate covered almonds": .snacks,
      "yogurt covered raisins": .snacks,
      "roasted almonds": .snacks,
      "salted peanuts": .snacks,
      "beer battered cod": .frozen,
      "breaded shrimp": .frozen,
      "instant coffee": .beverages,
      "instant oatmeal": .pantry,
      "instant mashed potatoes": .pantry,
      "smoked salmon": .meat,
      "sliced turkey": .meat,
      "diced ham": .meat,
      "peeled garlic": .produce,
      "sliced mushrooms": .produce,
      "chopped onions": .produce,
      "shredded carrots": .produce,
      "shredded cheddar": .dairy,
      "grated parmesan": .dairy,
      "hard boiled eggs": .dairy,
    ])
}
