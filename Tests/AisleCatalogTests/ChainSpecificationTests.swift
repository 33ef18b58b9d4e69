import AisleCatalog
import Testing

@Suite("A chain is read as people write it")
struct ChainSpecificationTests {
  @Test(
    "What is written again is the same chain",
    arguments: [
      ("keyword", "keyword"), (" keyword , regex ", "keyword,regex"), ("keyword>=0.6", "keyword>=0.6"),
      ("keyword( mode = substring )>= 0.5,x", "keyword(mode=substring)>=0.5,x"), ("a(b=c,d=e f),g", "a(b=c,d=e f),g"),
    ])
  func written(text: String, again: String) throws {
    let chain = try ChainSpecification(text)
    #expect(chain.text == again)
    #expect(try ChainSpecification(chain.text) == chain)
  }

  @Test(
    "What is wrong is named with what to write",
    arguments: [
      ("", "chain: no strategy; write strategy names separated by commas, e.g. keyword"),
      ("keyword,", "chain: a strategy's name is missing; write e.g. keyword>=0.6"),
      (">=0.5", "chain: a strategy's name is missing; write e.g. keyword>=0.6"),
      ("keyword>=1.5", "chain: `1.5` after >= is not a confidence; write a number in 0…1, e.g. keyword>=0.6"),
      ("keyword>=", "chain: `` after >= is not a confidence; write a number in 0…1, e.g. keyword>=0.6"),
      ("keyword>=nan", "chain: `nan` after >= is not a confidence; write a number in 0…1, e.g. keyword>=0.6"),
      ("keyword>0.5", "chain: `keyword>0.5`: write >= before the confidence, e.g. keyword>=0.5"),
      ("keyword(mode=x) => y", "chain: `keyword(mode=x) => y`: write >= before the confidence, e.g. keyword(mode=x)>=0.6"),
      ("keyword(mode", "chain `keyword(mode`: unbalanced parentheses; write name(option=value)"),
      ("a(b=c))", "chain `a(b=c))`: unbalanced parentheses; write name(option=value)"),
      ("keyword(mode)", "chain: bad option `mode` of `keyword`; write option=value"),
      ("keyword(mode=x)y", "chain: unexpected text after the options of `keyword`; put a comma between strategies"),
    ])
  func wrong(text: String, message: String) {
    let error = #expect(throws: ChainError.self) { try ChainSpecification(text) }
    #expect(error?.description == message)
  }
}
