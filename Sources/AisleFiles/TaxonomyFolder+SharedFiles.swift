import AisleCore

/// Reads the files that all stores of a folder share. What is wrong with one is noted, and it is left out.
extension TaxonomyFolder {
  /// A text file of the folder; `nil` where it is not there, unless it must be, or cannot be read.
  func sharedText(_ name: String, isRequired: Bool = false, noting findings: inout [Finding]) -> StoreParts.SharedText? {
    let path = "\(path)/\(name)"
    if !isRequired, FileReader.resolved(path) == nil, changes[path] == nil { return nil }
    do throws(FileError) {
      let bytes = try readInside(path)
      if let fault = TextCheck.firstFault(in: bytes, path: path) {
        findings.append(fault)
        return nil
      }
      return StoreParts.SharedText(bytes: bytes, path: path)
    } catch {
      findings.append(Finding(SourceLocation(path: error.path), error.reason))
      return nil
    }
  }

  /// The patterns of all files.
  func sharedPatterns(noting findings: inout [Finding]) -> [PatternEntry] {
    let files = patternFiles
    findings += files.misnamed.map {
      Finding(
        SourceLocation(path: $0), "not read as patterns because of its name; rename it: a-z, 0-9, and hyphens, then .yaml")
    }
    var patterns: [PatternEntry] = []
    for path in files.read {
      do throws(FileError) {
        var parser = PatternFileParser(path: path)
        patterns += parser.parse(try readInside(path))
        findings += parser.findings
      } catch {
        findings.append(Finding(SourceLocation(path: error.path), error.reason))
      }
    }
    return patterns
  }

  /// Notes the files among the shelves whose names are no shelf's.
  func noteMisnamedShelves(_ findings: inout [Finding]) {
    findings += misnamedShelves.map {
      Finding(SourceLocation(path: $0), "not read as a shelf because of its name; rename it: a-z, 0-9, and hyphens, then .txt")
    }
  }
}
