import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { once } from 'node:events'
import type { Command } from 'commander'
import { assistantServer } from '../api/mcp/server.ts'
import type { RestGet } from '../api/mcp/tool.ts'
import { type Config, readRunning } from '../config/config.ts'
import { version } from '../config/version.ts'
import { DEMO_KEY, openSecrets } from '../engines/secrets.ts'
import type { Wiring } from '../ports/wiring.ts'

interface McpOptions {
  readonly url?: string
  readonly key?: string
}

export const mcpCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('mcp')
    .description('serve tools for AI assistants (Model Context Protocol) on stdin and stdout, from a running service')
    .option('--url <url>', 'address of the service (default: the running `story up` of the home, else STORY_URL)')
    .option('--key <key>', 'API key (default: STORY_KEY, else the demo key of the home for its `story up`)')
    .addHelpText('after', ABOUT)
    .action((options: McpOptions) => serveTools(wiring, serviceOf(options, wiring.config)))
}

const ABOUT = `
Assistants start this command themselves: see the document for their configuration. STORY_KEY is safer than --key,
since other users of this machine can read the arguments of commands. The service also has the same tools at /mcp.`

interface AssistantService {
  readonly url: string
  readonly key: string
}

/** The address and the key. The demo key is sent only to the `story up` that it belongs to. */
export function serviceOf(options: McpOptions, config: Pick<Config, 'home' | 'http' | 'client'>): AssistantService {
  const running = runningUrl(config)
  const url = options.url ?? running ?? config.client.url
  if (url === undefined) {
    throw new Error('No service is running in this home. Start it with `story up`, or give its address with --url')
  }
  const demoKey = url === running ? openSecrets(config.home).get(DEMO_KEY) : undefined
  const key = options.key ?? config.client.secretKey ?? demoKey
  if (key === undefined)
    throw new Error(`No API key for ${url}. Set STORY_KEY, or create one with \`story keys create\``)
  return { url: url.replace(/\/+$/, ''), key }
}

/** A service that listens on all addresses is reached at the local one. */
function runningUrl({ home, http: { host } }: Pick<Config, 'home' | 'http'>): string | undefined {
  const { PORT } = readRunning(home).addresses
  if (PORT === undefined) return undefined
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${PORT}`
}

/** Serves until the assistant closes the input. */
async function serveTools({ logger }: Wiring, service: AssistantService): Promise<void> {
  const onDefect = (err: unknown): void => logger.error({ err }, 'tool_failed')
  const server = assistantServer({ get: restOf(service), version, onDefect })
  await server.connect(new StdioServerTransport())
  await once(process.stdin, 'close')
  await server.close()
}

/** Longer than the API needs for any read. */
const TIMEOUT_MS = 30_000

/** Sends requests to a service. If it does not respond, the response is the problem that the service itself would send. */
export const restOf =
  ({ url, key }: AssistantService): RestGet =>
  async (target) => {
    try {
      const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
      const response = await fetch(url + target, {
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { status: response.status, body: await response.json() }
    } catch {
      return { status: 503, body: { code: 'unavailable', detail: `No service responds at ${url}` } }
    }
  }
