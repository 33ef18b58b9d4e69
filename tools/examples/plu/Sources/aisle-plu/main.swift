import AisleCatalog
import AisleCommand
import PLUStrategy

let plu = StrategyKind(id: "plu", summary: "price look-up codes of loose produce") { context, _ in PLUStrategy(context.taxonomy) }
await AisleCommand.start(adding: [plu])
