package import AisleFiles
package import LLMStrategy

extension SettledModel {
  /// The settings for reading photos: of the model that is named for them, else of the provider's for photos.
  ///
  /// A server of one's own has no model for photos that could be known, so there it is the one that reads items.
  ///
  /// - Parameter named: The model that the command line names.
  /// - Throws: what `ModelSetup.settings` throws, e.g. without a key.
  package func photoSettings(_ provider: ModelProvider, named: String?, _ configuration: Configuration?) throws -> ModelSettings {
    let own = provider == .openai ? name : nil
    let standard = setup.models.standard(provider, for: .photo)?.name
    return try setup.settings(provider, model: named ?? configuration?.model?.photoModel?.value ?? own ?? standard)
  }
}
