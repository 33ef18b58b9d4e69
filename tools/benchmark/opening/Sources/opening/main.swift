import AisleKit

// A line a store: its id, and how many milliseconds it took to open it. The first also pays for what all stores share.
for store in CommandLine.arguments.dropFirst() {
  let clock = ContinuousClock()
  var aisle: Aisle?
  let time = try clock.measure { aisle = try Aisle(store: store) }
  guard let answer = aisle?.categorize("oat milk"), answer.shelf == "plant-milk" else { fatalError("\(store) does not know oat milk") }
  print(store, Double(time.components.attoseconds) / 1e15)
}
