import AisleEvaluation
import Testing

@Suite("The sample that the reporters are tested with")
struct SampleReportTests {
  @Test("It has something of everything")
  func something() async throws {
    let report = try await SampleReport.make()
    let evaluation = report.evaluation
    #expect(evaluation.metrics.accuracy.count < evaluation.metrics.accuracy.total)
    #expect(evaluation.metrics.unplaced.count > 0)
    #expect(evaluation.splits.count == 2)
    let comparison = try #require(report.comparison)
    #expect(!comparison.won.isEmpty || !comparison.lost.isEmpty)
    #expect(!report.isPassed)
    #expect(evaluation.strategies.allSatisfy { $0.decided > 0 })
    #expect(report.ablation?.without.count == 2)
  }
}
