import type { Command } from 'commander'
import type { Wiring } from '../ports/wiring.ts'

/** Registers a command under its name in `COMMANDS`. */
type Register = (program: Command, wiring: Wiring) => void

/** Every command of `story`, loaded on demand: creating a key does not load the models' code. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  init: async () => (await import('./init.ts')).initCommand,
  up: async () => (await import('./up.ts')).upCommand,
  start: async () => (await import('./start.ts')).startCommand,
  import: async () => (await import('./import.ts')).importCommand,
  feeds: async () => (await import('./feeds.ts')).feedsCommand,
  extract: async () => (await import('./extract.ts')).extractCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand,
  analysts: async () => (await import('./analysts.ts')).analystsCommand,
  dead: async () => (await import('./dead.ts')).deadCommand,
  archive: async () => (await import('./archive.ts')).archiveCommand,
  lag: async () => (await import('./lag.ts')).lagCommand,
  metrics: async () => (await import('./metrics.ts')).metricsCommand,
  hash: async () => (await import('./hash.ts')).hashCommand,
  stores: async () => (await import('./stores.ts')).storesCommand,
  rebuild: async () => (await import('./rebuild.ts')).rebuildCommand,
  graph: async () => (await import('./graph.ts')).graphCommand,
  reprocess: async () => (await import('./reprocess.ts')).reprocessCommand,
  topology: async () => (await import('./topology.ts')).topologyCommand,
  config: async () => (await import('./config.ts')).configCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  topics: async () => (await import('./topics.ts')).topicsCommand,
  schemas: async () => (await import('./schemas.ts')).schemasCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  openapi: async () => (await import('./openapi.ts')).openApiCommand,
  asyncapi: async () => (await import('./asyncapi.ts')).asyncApiCommand,
  bench: async () => (await import('./bench.ts')).benchCommand,
  quality: async () => (await import('./quality.ts')).qualityCommand,
}

/** The command with that name; all commands if there is none, as for `--help`. */
export async function commandsFor(name: string | undefined): Promise<readonly Register[]> {
  const one = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return Promise.all((one === undefined ? Object.values(COMMANDS) : [one]).map((load) => load()))
}
