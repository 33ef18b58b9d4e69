/// The results of running the same chain several times, each time in a different order.
public struct Repeats: Sendable {
  /// The time each run took, in seconds.
  public let seconds: [Double]
  /// The share of right answers in each run.
  public let accuracies: [Proportion]
  /// How many items did not get the same answer every time.
  public let unstable: Int

  /// Compares runs of one chain on the same items.
  public init(_ runs: [Evaluation]) {
    seconds = runs.map(\.seconds)
    accuracies = runs.map(\.metrics.accuracy)
    guard let first = runs.first else {
      unstable = 0
      return
    }
    unstable = first.items.indices.count { place in
      let answer = first.name(first.items[place].answer)
      return runs.dropFirst().contains { $0.name($0.items[place].answer) != answer }
    }
  }
}
