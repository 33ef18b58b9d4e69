# UNTESTED: nobody has run this formula with Homebrew yet; only its syntax is checked here (`ruby -c`).
#
# Put it into a tap, and fill in the address of the release's source archive and its checksum.
class Aisle < Formula
  desc "Find the store section for each item of a grocery list"
  homepage "https://example.invalid/aisle"
  url "https://example.invalid/aisle/archive/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on xcode: ["16.3", :build] if OS.mac?
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "swift" => :build if OS.linux?
  depends_on "curl" if OS.linux?

  def install
    flags = Utils.safe_popen_read("tools/build-flags").split
    ["aisle", "aisle-serve"].each do |product|
      system "swift", "build", "--disable-sandbox", "-c", "release", "--product", product, *flags
    end
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "generate-manual"
    system "tools/stage", "--binaries", ".build/release", "--server", "--generator", ".build/release/generate-manual", "staged"
    prefix.install Dir["staged/*"]
  end

  test do
    assert_equal "kale\tProduce\n", pipe_output("#{bin}/aisle categorize", "kale\n")
    assert_equal version.to_s, shell_output("#{bin}/aisle --version").strip
  end
end
