package import AisleCore

/// All stores of a folder at once whose lists are in English: the shelves that they share as one taxonomy, and how each store places them.
///
/// The shared taxonomy has a section for each shelf, and one for the keywords and patterns of each section that has some of its own.
package struct SharedStores {
  /// The shelves, each as a section.
  package let taxonomy: Taxonomy
  /// The stores, sorted by id.
  package let layouts: [StoreLayout]
  /// The ids of the stores whose lists are in other languages than English, sorted; they are not among the layouts.
  package let foreign: [String]
  /// What is wrong with the files; stores are fit for use where there is nothing.
  package let findings: [Finding]

  /// Reads a folder.
  ///
  /// - Throws: `FileError` when the folder or a store's file cannot be read.
  package init(_ folder: TaxonomyFolder) throws(FileError) {
    let shelves = folder.shelves
    var numbers: [String: Int] = [:]
    for (number, shelf) in shelves.enumerated() { numbers[shelf] = number }
    let nowhere = SourceLocation(path: folder.path)
    var shared = StoreFile(store: Located(value: "all", location: nowhere), name: "all")
    shared.sections = shelves.map { shelf in
      let name = Located(value: shelf, location: nowhere)
      return .init(name: name, color: .gray, shelves: [name], keywords: [], patterns: [])
    }
    var layouts: [StoreLayout] = []
    var foreign: [String] = []
    var findings: [Finding] = []
    for store in folder.stores {
      var parser = StoreFileParser(path: "\(folder.path)/\(store).yaml")
      let file = parser.parse(try folder.storeFile(store))
      findings += parser.findings
      guard let file else { continue }
      if !LanguageChoice.complete(file.languages.map(\.value)).isEmpty {
        foreign.append(store)
        continue
      }
      var (parts, placed): ([[UInt8]], Set<String>) = ([], [])
      for section in file.sections {
        var part: [Int] = []
        for shelf in section.shelves {
          if let number = numbers[shelf.value], placed.insert(shelf.value).inserted {
            part.append(number)
          } else {
            findings.append(Finding(shelf.location, "shelf `\(shelf.value)` is not there, or is placed twice"))
          }
        }
        if !section.keywords.isEmpty || !section.patterns.isEmpty {
          part.append(shared.sections.count)
          shared.sections.append(
            .init(
              name: Located(value: "\(store): \(section.name.value)", location: section.name.location), color: .gray, shelves: [],
              keywords: section.keywords, patterns: section.patterns))
        }
        parts.append(part.map { UInt8(truncatingIfNeeded: $0) })
      }
      for shelf in shelves where !placed.contains(shelf) {
        findings.append(Finding(SourceLocation(path: "\(folder.path)/\(store).yaml"), "no section has shelf `\(shelf)`"))
      }
      func id(_ name: Located<String>) -> SectionID? {
        if let place = file.sections.firstIndex(where: { $0.name.value == name.value }) {
          return SectionID(rawValue: UInt16(place))
        }
        findings.append(Finding(name.location, "no section `\(name.value)`"))
        return nil
      }
      let fallback = file.fallback.flatMap(id) ?? SectionID(rawValue: 0)
      layouts.append(
        StoreLayout(
          store: store, name: file.name, sections: file.sections.map { Section(name: $0.name.value, color: $0.color) },
          fallback: fallback, matchOrder: file.matchOrder.compactMap(id), parts: parts))
    }
    var assembly = Assembly(folder: folder, store: "all", findings: [])
    assembly.add(shared)
    let loaded = assembly.finish()
    taxonomy = loaded.taxonomy
    self.layouts = layouts
    self.foreign = foreign
    self.findings = (findings + loaded.findings).sorted { $0.location < $1.location }
  }
}
