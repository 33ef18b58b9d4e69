import Foundation
import Testing

/// What is said of a program that cannot be started.
@Suite struct StartFailureTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func said(_ program: String, environment: [String: String] = [:]) throws -> String {
    try folder.write(
      "chain: [program, keyword]\nstrategies:\n  program:\n    command: [\(program)]\n    required: true\n", to: "aisle.yaml")
    let run = try aisle("categorize", "--trust", input: "kale\n", in: folder, environment: environment)
    #expect(run.ending == .exited(2))
    return run.diagnostics
  }

  /// Has a shell write the script: a program that this process had open to write would be busy as long as a child that another test starts
  /// has it open too.
  private func script(_ text: String, mode: String = "755") throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "printf %s \"$1\" >\"$2\" && chmod \"$3\" \"$2\"", "sh", text, "\(folder.path)/nope", mode]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
  }

  @Test("A program that is not there is told as that, with where its path begins")
  func missing() throws {
    let message = "aisle: strategy `program` cannot start `./nope`: no such file; check the path"
    let said = try self.said("./nope")
    #expect(said.hasPrefix(message), "\(said)")
    #expect(try self.said("no/such/folder/nope").contains("`no/such/folder/nope`: no such file"))
    let searched = try self.said("no-such-program-anywhere")
    #expect(searched.contains("no such program in PATH; write its path, or move it to a folder in PATH"), "\(searched)")
  }

  @Test("One that is not executable is told with the command that makes it so, also where PATH has it")
  func notExecutable() throws {
    try script("#!/bin/sh\n", mode: "644")
    #expect(try said("./nope") == "aisle: strategy `program` cannot start `./nope`: is not executable; run `chmod +x ./nope`\n")
    let path = "\(folder.path):/usr/bin:/bin"
    #expect(try said("nope", environment: ["PATH": path]).contains("is not executable; run `chmod +x \(folder.path)/nope`"))
  }

  @Test("A script whose interpreter is not there names the interpreter, also with the line ends of Windows")
  func interpreter() throws {
    try script("#!/usr/bin/no-such-python -u\nprint()\n")
    #expect(
      try said("./nope")
        == "aisle: strategy `program` cannot start `./nope`: its first line names the interpreter `/usr/bin/no-such-python`, which does not exist; install it, or correct the line\n"
    )
    try script("#!/bin/sh\r\necho\r\n")
    #expect(
      try said("./nope").contains(
        "it has Windows line endings, so its interpreter is not found; run `sed -i 's/\\r$//' ./nope`"))
  }

  @Test("A folder, and a file that is no program, are told as that")
  func noProgram() throws {
    #expect(try said("./taxonomies").contains("`./taxonomies`: is a folder; name a program in it"))
    try script("hello\n")
    #expect(
      try said("./nope").contains("`./nope`: is not a program for this system; a script must begin with a line such as `#!"))
  }
}
