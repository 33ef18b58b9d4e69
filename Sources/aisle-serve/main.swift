import AisleCommand
import AisleServer
import COneHeap

aisle_use_one_heap()
await AisleCommand.serve { options, chain, warn in
  var settings = ServerSettings(chain)
  (settings.host, settings.port, settings.names) = (options.host, options.port, options.name)
  settings.tokens = options.tokens.file
  (settings.rate, settings.concurrency, settings.report) = (options.rate, options.concurrency, options.report)
  if let chain = options.tlsCertificate, let key = options.tlsKey { settings.certificate = (chain, key) }
  let key: ServerSettings.Issuer.Key? = options.jwtSecretFile.map { .secret($0) } ?? options.jwks.map { .keySet($0) }
  settings.issuer = key.map { .init(key: $0, name: options.jwtIssuer, permission: options.jwtCan) }
  settings.version = AisleCommand.version
  let server = try await Server(settings, warn: warn)
  try await server.run { port in options.tell(port, server.storeName, chain.corrections.value ?? "") }
}
