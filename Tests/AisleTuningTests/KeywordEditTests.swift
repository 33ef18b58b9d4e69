import AisleTuning
import Testing

/// Changes to keywords as people write them.
struct `A keyword edit` {
  @Test(
    arguments: [
      ("+nut-butters: sunflower butter", "+nut-butters: sunflower butter"), ("-butter:cream", "-butter: cream"),
      ("+ Dairy & Eggs :  ~ kefir ", "+Dairy & Eggs: ~kefir"), ("-candy: !gelato", "-candy: !gelato"),
    ])
  func `is read as it is written`(written: String, spelled: String) throws {
    let edit = try KeywordEdit(written)
    #expect(edit.description == spelled)
    #expect(try KeywordEdit(spelled) == edit)
  }

  @Test(
    arguments: [
      ("butter: cream", "does not begin with + or -"), ("+butter cream", "has no colon"), ("+: cream", "names no shelf"),
      ("+butter: ~", "has no keyword"), ("", "does not begin with + or -"), ("+butter: a\tb", "has a control character"),
    ])
  func `that is no edit says how one is written`(written: String, message: String) {
    #expect(performing: { try KeywordEdit(written) }, throws: { "\($0)".contains(message) })
  }
}
