import Foundation
import Testing

#if os(Linux)
  /// Limits of the machine: each is met with fewer threads or an error, never with a wait without end or a signal.
  @Suite struct LimitTests {
    private let folder: ScratchFolder
    private static let count = 8000

    init() throws {
      folder = try ScratchFolder()
      try folder.write(String(repeating: "kale\n", count: Self.count), to: "items")
      try folder.write("kale\n", to: "one")
    }

    /// Runs the binary under limits, which the system must be able to set.
    private func aisle(_ limits: [String], _ arguments: [String], environment: [String: String] = [:]) throws -> Finished {
      try RunningAisle(arguments, in: folder, environment: environment, wrapper: ["prlimit"] + limits).finish()
    }

    private static func canRun(_ words: String...) -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    private static let hasLimits = canRun("prlimit", "--nofile=64", "true")
    private static let canChangeUser = geteuid() == 0 && canRun("setpriv", "--reuid=65534", "--clear-groups", "true")

    /// Whether all was answered, or nothing but one error came, which is no signal.
    private func expectAnswersOrError(_ finished: Finished, _ lines: Int, _ what: String) {
      if finished.ending == .exited(0) {
        #expect(finished.text == String(repeating: "kale\tProduce\n", count: lines), "\(what)")
        #expect(finished.diagnostics == "", "\(what)")
      } else {
        #expect(finished.ending == .exited(2), "\(what): \(finished.diagnostics.prefix(300))")
        #expect(finished.diagnostics.hasPrefix("aisle: ") && finished.diagnostics.filter { $0 == "\n" }.count == 1, "\(what)")
      }
    }

    @Test(
      "A limit on the size of files is an error, not a signal", .enabled(if: hasLimits),
      // A short input is answered by the main thread, which signals are for.
      arguments: [(0, "one"), (5, "one"), (512, "items"), (4096, "items")])
    func fileSize(bytes: Int, input: String) throws {
      let finished = try RunningAisle(
        ["categorize", input], in: folder, wrapper: ["prlimit", "--fsize=\(bytes)"], output: .file("\(folder.path)/out")
      ).finish()
      #expect(finished.ending == .exited(2))
      #expect(finished.diagnostics == "aisle: standard output: file too large\n")
    }

    @Test("Few descriptors are enough, or are an error", .enabled(if: hasLimits), arguments: [4, 5, 6, 7, 8, 9, 10, 12])
    func descriptors(count: Int) throws {
      for arguments in [["categorize", "one"], ["categorize", "--jobs", "2", "items"]] {
        let finished = try aisle(["--nofile=\(count)"], arguments)
        // The system itself needs some to load the binary.
        if finished.ending == .exited(127) { continue }
        expectAnswersOrError(finished, arguments.contains("one") ? 1 : Self.count, "\(count) \(arguments)")
      }
    }

    @Test("Where the user may start no thread, one is enough", .enabled(if: hasLimits && canChangeUser), arguments: [1, 3])
    func threads(count: Int) throws {
      let wrapper = ["prlimit", "--nproc=\(count)", "setpriv", "--reuid=65534", "--clear-groups"]
      let finished = try RunningAisle(["categorize", "items"], in: folder, wrapper: wrapper).finish()
      #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
      #expect(finished.text == String(repeating: "kale\tProduce\n", count: Self.count))
      try folder.write("kale\tProduce\n", to: "corpus/test.tsv")
      let evaluated = try RunningAisle(["eval"], in: folder, wrapper: wrapper).finish()
      #expect(evaluated.ending == .exited(2))
      #expect(
        evaluated.diagnostics.contains(
          "aisle: an evaluation needs more threads than the limits allow; raise the limits on processes"))
    }

    @Test("A limit on memory is enough, or an error", .enabled(if: hasLimits))
    func memory() throws {
      for size in [100, 110, 120, 130, 140, 160, 200, 260, 320, 400, 600] {
        let finished = try aisle(["--as=\(size << 20)"], ["categorize", "items"], environment: ["AISLE_TAXONOMIES": ""])
        if finished.ending == .exited(127) { continue }
        expectAnswersOrError(finished, Self.count, "\(size) MiB")
      }
    }

    @Test(
      "No time of the clock ends a run", .enabled(if: canRun("cc", "--version")),
      arguments: [-2_208_988_800, -1, 2_208_988_800, 253_402_300_799])
    func clock(seconds: Int) throws {
      try folder.write(
        """
        #include <sys/time.h>
        #include <time.h>
        time_t time(time_t *out) { if (out) *out = \(seconds)L; return \(seconds)L; }
        int clock_gettime(clockid_t id, struct timespec *out) {
          static long calls; out->tv_sec = (id == CLOCK_REALTIME ? \(seconds)L : 1000) + ++calls / 1000; out->tv_nsec = 0; return 0;
        }
        int gettimeofday(struct timeval *out, void *zone) { out->tv_sec = \(seconds)L; out->tv_usec = 0; return 0; }

        """, to: "clock.c")
      let compile = Process()
      compile.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      compile.arguments = ["cc", "-shared", "-fPIC", "-o", "\(folder.path)/clock.so", "\(folder.path)/clock.c"]
      try compile.run()
      compile.waitUntilExit()
      try #require(compile.terminationStatus == 0)
      let environment = ["LD_PRELOAD": "\(folder.path)/clock.so", "AISLE_CACHE": "\(folder.path)/cache"]
      for arguments in [
        ["categorize", "--summary", "one"], ["correct", "kale", "Snacks"], ["corrections", "list"], ["corrections", "export"],
      ] {
        let finished = try RunningAisle(arguments, in: folder, environment: environment).finish()
        #expect(finished.ending == .exited(0), "\(arguments): \(finished.diagnostics.prefix(300))")
      }
    }
  }
#endif
