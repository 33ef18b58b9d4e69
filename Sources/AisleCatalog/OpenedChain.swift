package import AisleCore

/// A store and a chain, ready to decide items.
package struct OpenedChain {
  package let locator: StoreLocator
  package let taxonomy: Taxonomy
  package let chain: NamedChain
}
