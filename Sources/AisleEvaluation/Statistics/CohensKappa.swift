/// Cohen's kappa: how far two people agree beyond what chance explains.
///
/// κ = (pₒ − pₑ) / (1 − pₑ), where pₒ is the share of items with the same category, and pₑ the share that would have it if each person
/// gave out their own categories at random.
///
/// Sources: Cohen (1960), A coefficient of agreement for nominal scales; for the standard error, Fleiss, Cohen, Everitt (1969), Large
/// sample standard errors of kappa and weighted kappa.
public struct CohensKappa: Sendable, Hashable {
  /// The value in −1…1: 1 for full agreement, 0 for that of chance. `nil` without items, and where both people use one and the same
  /// category alone, so that chance explains everything.
  public let value: Double?
  /// The large-sample standard error; `nil` where there is no value.
  public let standardError: Double?

  /// Computes kappa from pairs of categories, each the first and the second person's for one item.
  ///
  /// - Complexity: O(pairs + categories²).
  public init<Category: Hashable>(_ pairs: some Sequence<(Category, Category)>) {
    var numbers: [Category: Int] = [:]
    func number(_ category: Category) -> Int {
      let number = numbers[category] ?? numbers.count
      numbers[category] = number
      return number
    }
    let cells = pairs.map { (number($0), number($1)) }
    if numbers.count < 2 {
      (value, standardError) = (nil, nil)
      return
    }
    let n = Double(cells.count)
    // The shares of the table: a row for each category of the first person, a column for each of the second.
    let none = Array(repeating: 0.0, count: numbers.count)
    var table = Array(repeating: none, count: numbers.count)
    for (row, column) in cells { table[row][column] += 1 / n }
    let rows = table.map { $0.reduce(0, +) }
    let columns = none.indices.map { column in table.reduce(0) { $0 + $1[column] } }
    let observed = none.indices.reduce(0) { $0 + table[$1][$1] }
    let expected = zip(rows, columns).reduce(0) { $0 + $1.0 * $1.1 }
    let kappa = (observed - expected) / (1 - expected)
    var spread = 0.0
    for row in none.indices {
      for column in none.indices {
        let chance = (columns[row] + rows[column]) * (1 - kappa)
        let term = row == column ? 1 - chance : chance
        spread += table[row][column] * term * term
      }
    }
    let shift = kappa - expected * (1 - kappa)
    value = kappa
    standardError = (max(0, spread - shift * shift) / n).squareRoot() / (1 - expected)
  }

  /// The interval with 95% coverage, by the normal approximation, within −1…1. `nil` where there is no value, and where the standard
  /// error is 0, as it is for full agreement: the approximation says nothing there.
  public var interval: ClosedRange<Double>? {
    guard let value, let standardError, standardError > 0 else { return nil }
    let half = 1.959963984540054 * standardError
    return max(-1, value - half)...min(1, value + half)
  }
}
