extension Taxonomy {
  /// An id for each section, in walking order, that stays the same when sections are added or change places: what apps and databases keep.
  ///
  /// It is the name with its letters and digits in lower case, and one hyphen for whatever is between them: `Meat & Seafood` is
  /// `meat-seafood`. If this makes the ids of two sections the same, a hash of each one's name is added at the end.
  ///
  /// - Complexity: O(bytes of the names).
  public var stableSectionIDs: [String] {
    let slugs = sections.map { Self.slug($0.name) }
    var counts: [String: Int] = [:]
    for slug in slugs { counts[slug, default: 0] += 1 }
    return zip(slugs, sections).map { slug, section in
      if !slug.isEmpty, counts[slug] == 1 { return slug }
      let number = String(FNV1a.hash(section.name.utf8) & 0xFFFF_FFFF, radix: 16)
      return slug.isEmpty ? "section-\(number)" : "\(slug)-\(number)"
    }
  }

  private static func slug(_ name: String) -> String {
    var slug = ""
    for character in name {
      if character.isLetter || character.isNumber {
        slug += character.lowercased()
      } else if character != "'", character != "’", !slug.isEmpty, slug.last != "-" {
        slug += "-"
      }
    }
    return slug.last == "-" ? String(slug.dropLast()) : slug
  }
}
