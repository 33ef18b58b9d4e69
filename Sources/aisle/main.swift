import AisleCommand

await AisleCommand.start()
