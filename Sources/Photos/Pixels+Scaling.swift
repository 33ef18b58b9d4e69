extension Pixels {
  /// The image with at most so many pixels on its longer side, never enlarged.
  ///
  /// A pixel becomes the mean of the area that it covers, so that the thin strokes of a pen neither vanish nor flicker. Takes time
  /// proportional to the pixels, and memory for one row beside the result.
  func scaled(toLongSide limit: Int) throws(PhotoFault) -> Pixels {
    if longSide <= limit { return self }
    func part(_ side: Int) -> Int { max(1, (side * limit + longSide / 2) / longSide) }
    let scaled = try Pixels(width: part(width), height: part(height))
    let columns = Self.spans(of: width, in: scaled.width)
    let area = Float(width) / Float(scaled.width) * Float(height) / Float(scaled.height)
    var sums = [Float](repeating: 0, count: scaled.width * 3)
    for (y, rows) in Self.spans(of: height, in: scaled.height).enumerated() {
      sums.withUnsafeMutableBufferPointer { sums in
        sums.update(repeating: 0)
        for (row, weight) in rows { add(row, weight, columns, to: sums) }
        for place in sums.indices { scaled.bytes[y * sums.count + place] = UInt8(min(255, sums[place] / area + 0.5)) }
      }
    }
    return scaled
  }

  /// Adds a row of this image, by weight, to the sums of a row of the smaller one.
  private func add(
    _ row: Int, _ weight: Float, _ columns: [[(place: Int, weight: Float)]], to sums: UnsafeMutableBufferPointer<Float>
  ) {
    let start = row * width * 3
    for (x, column) in columns.enumerated() {
      var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
      for (place, share) in column {
        let pixel = start + place * 3
        red += share * Float(bytes[pixel])
        green += share * Float(bytes[pixel + 1])
        blue += share * Float(bytes[pixel + 2])
      }
      sums[x * 3] += weight * red
      sums[x * 3 + 1] += weight * green
      sums[x * 3 + 2] += weight * blue
    }
  }

  /// For each of a smaller number of places, those of the larger that it covers, with how much of each it covers, 0 to 1.
  private static func spans(of large: Int, in small: Int) -> [[(place: Int, weight: Float)]] {
    (0..<small).map { place in
      // In units of 1 / small, in which all edges are whole.
      let (start, end) = (place * large, (place + 1) * large)
      return (start / small...(end - 1) / small).map { covered in
        (covered, Float(min(end, (covered + 1) * small) - max(start, covered * small)) / Float(small))
      }
    }
  }
}
