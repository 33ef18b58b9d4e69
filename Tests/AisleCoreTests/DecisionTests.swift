import AisleCore
import Testing

@Suite struct DecisionTests {
  private static let confidences: [(given: Float, kept: Float, shown: String)] = [
    (.nan, 0, "0.00"), (-.infinity, 0, "0.00"), (-0.1, 0, "0.00"), (0, 0, "0.00"), (0.005, 0.005, "0.01"), (0.87, 0.87, "0.87"),
    (1, 1, "1.00"), (1.5, 1, "1.00"), (.greatestFiniteMagnitude, 1, "1.00"), (.infinity, 1, "1.00"),
  ]

  @Test(arguments: confidences)
  func `a confidence that is none is kept in 0…1, and shown so even where it is set later`(
    given: Float, kept: Float, shown: String
  ) {
    var decision = Decision(section: SectionID(rawValue: 0), confidence: given)
    #expect(decision.confidence == kept)
    decision.confidence = given
    let explanation = Explanation(decision, section: "Produce", note: nil, taxonomy: SmallStore.taxonomy, metadata: [])
    #expect(explanation.confidenceText == shown)
  }
}
