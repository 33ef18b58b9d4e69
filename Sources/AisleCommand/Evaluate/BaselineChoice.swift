import AisleFiles

/// The baseline that an evaluation is compared with.
enum BaselineChoice {
  /// The file: that of the command line, `off` for none, else that of the configuration; `nil` for none.
  static func settle(_ flag: String?, _ configuration: Configuration?) -> String? {
    flag == "off" ? nil : flag ?? configuration?.evaluation?.baseline?.value
  }
}
