/// A value with the place that set it: an option, a variable, a line of the configuration, or `default`.
package struct Settled<Value> {
  package let value: Value
  package let origin: String

  /// Says where a value was set.
  package init(value: Value, origin: String) {
    self.value = value
    self.origin = origin
  }
}

extension Settled: Sendable where Value: Sendable {}
