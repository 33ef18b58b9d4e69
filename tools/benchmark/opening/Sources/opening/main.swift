import AisleKit

// A line a store: its id, and how many milliseconds it took to open it. The first also pays for what all stores share.
for store in CommandLine.arguments.dropFirst() {
  let clock = ContinuousClock()
  var aisle: Aisle?
  let time = try clock.measure { aisle = try Aisle(store: store) }
  guard aisle?.categorize("oat milk").section.name != aisle?.taxonomy[aisle?.taxonomy.fallback ?? .init(rawValue: 0)].name else {
    fatalError("\(store) does not know oat milk")
  }
  print(store, Double(time.components.attoseconds) / 1e15)
}
