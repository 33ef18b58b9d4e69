"""Items that the cases ask about: 40 of a plain list, as people type them."""

FORTY = [
    "dragon fruit", "gochugaru", "birthday candles", "kohlrabi", "piri piri sauce", "oat milk", "chicken thighs", "bin bags",
    "2 lbs ground turkey", "sourdough loaf", "frozen peas", "greek yogurt", "aa batteries", "orzo", "black beans", "tahini",
    "rice vinegar", "salmon fillets", "cilantro", "eggs", "sharp cheddar", "dish soap", "tortilla chips", "cold brew", "naan",
    "ice cream sandwiches", "peanut butter", "bananas", "cat litter", "paper towels", "hummus", "string cheese", "ramen",
    "maple syrup", "kimchi", "sparkling water", "lamb chops", "bagels", "jalapeños", "almond flour",
]
KNOWN = dict(zip(FORTY, (
    "Produce|International|Household & Cleaning|Produce|Condiments & Sauces|Dairy & Eggs|Meat & Seafood|Household & Cleaning|"
    "Meat & Seafood|Bakery|Frozen Foods|Dairy & Eggs|Household & Cleaning|Pantry & Canned Goods|Pantry & Canned Goods|International|"
    "Condiments & Sauces|Meat & Seafood|Produce|Dairy & Eggs|Dairy & Eggs|Household & Cleaning|Snacks|Beverages|Bakery|"
    "Frozen Foods|Condiments & Sauces|Produce|Other|Household & Cleaning|Produce|Dairy & Eggs|International|"
    "Condiments & Sauces|International|Beverages|Meat & Seafood|Bakery|Produce|Pantry & Canned Goods").split("|"), strict=True))
FEW = FORTY[:8]
SECTIONS = ["Produce", "Bakery", "Meat & Seafood", "Dairy & Eggs", "Frozen Foods", "Pantry & Canned Goods", "International",
            "Condiments & Sauces", "Snacks", "Beverages", "Household & Cleaning", "Other"]
