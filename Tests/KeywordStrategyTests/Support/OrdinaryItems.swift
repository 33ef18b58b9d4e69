/// Two hundred items as lists have them: bare names, without quantities.
enum OrdinaryItems {
  static let all = text.split(separator: "\n").map(String.init)

  private static let text = """
    apples
    honeycrisp apples
    bananas
    lemons
    red grapes
    strawberries
    blueberries
    peaches
    watermelon
    pineapple
    mango
    avocado
    spinach
    romaine lettuce
    kale
    broccoli
    cauliflower
    carrots
    celery
    asparagus
    yellow onions
    garlic
    russet potatoes
    sweet potatoes
    zucchini
    english cucumber
    bell peppers
    jalapeño
    portobello mushrooms
    cilantro
    fresh basil
    bok choy
    firm tofu
    salad kit
    corn on the cob
    sourdough bread
    rye bread
    bagels
    hamburger buns
    hot dog buns
    croissants
    baguette
    flour tortillas
    pita bread
    garlic naan
    glazed doughnuts
    chocolate cupcakes
    apple pie
    blueberry muffins
    dinner rolls
    ground beef
    chicken thighs
    boneless chicken breast
    rotisserie chicken
    bacon
    pork chops
    ribeye steak
    chuck roast
    salmon fillets
    shrimp
    italian sausage
    hot dogs
    sliced ham
    turkey breast
    prosciutto
    lamb chops
    smoked salmon
    crab legs
    whole milk
    chocolate milk
    oat milk
    almond milk
    half and half
    heavy cream
    unsalted butter
    margarine
    eggs
    greek yogurt
    strawberry yogurt
    kefir
    sour cream
    cottage cheese
    cream cheese
    cheddar cheese
    shredded mozzarella
    parmesan
    gruyère
    string cheese
    crème fraîche
    hummus
    cookie dough
    vanilla ice cream
    popsicles
    frozen peas
    frozen strawberries
    frozen pizza
    frozen waffles
    french fries
    chicken nuggets
    fish sticks
    chocolate gelato
    bread flour
    brown sugar
    baking powder
    chocolate cake mix
    cinnamon
    dried oregano
    taco seasoning
    sea salt
    black pepper
    corn flakes
    steel cut oats
    spaghetti
    basmati rice
    quinoa
    red lentils
    black beans
    canned corn
    diced tomatoes
    canned tuna
    sardines in olive oil
    tomato soup
    chicken broth
    macaroni and cheese
    stuffing mix
    breadcrumbs
    evaporated milk
    soy sauce
    red curry paste
    ramen
    rice noodles
    miso paste
    kimchi
    nori
    ketchup
    dijon mustard
    mayonnaise
    barbecue sauce
    hot sauce
    ranch dressing
    olive oil
    balsamic vinegar
    dill pickles
    kalamata olives
    peanut butter
    strawberry jam
    honey
    maple syrup
    salsa
    marinara sauce
    turkey gravy
    potato chips
    tortilla chips
    pretzels
    microwave popcorn
    cheese crackers
    chocolate chip cookies
    milk chocolate
    gummy bears
    spearmint gum
    roasted almonds
    sunflower seeds
    raisins
    trail mix
    beef jerky
    granola bars
    rice cakes
    spring water
    sparkling water
    cola
    ginger ale
    apple juice
    orange juice
    lemonade
    ground coffee
    green tea
    iced tea
    kombucha
    hot chocolate
    red wine
    rosé wine
    light beer
    vodka
    paper towels
    toilet paper
    facial tissues
    paper plates
    trash bags
    aluminum foil
    laundry detergent
    dish soap
    glass cleaner
    sponges
    batteries
    light bulbs
    scented candle
    hand soap
    coconut shampoo
    toothpaste
    deodorant
    razors
    ibuprofen
    diapers
    baby wipes
    dog food
    cat litter
    birthday card
    """
}
