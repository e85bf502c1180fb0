import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectPath } from '../../src/config/project-path.ts'
import { messageOf } from '../../src/domain/message-of.ts'
import { sampleCorrections } from '../../src/sources/sample/timeline.ts'
import { correctSample } from '../../src/wiring/up/correct-sample.ts'
import { importSample, planSample, type SamplePlan } from '../../src/wiring/up/sample.ts'
import { demoKey } from '../../src/wiring/up/steps.ts'
import { stopwatch } from '../chaos/command-line.ts'
import { type LocalCluster, startCluster } from './cluster.ts'
import { StartedServers } from './started-servers.ts'

const HELP = `node --import tsx test/cluster/main.ts [--no-sample] [--home FOLDER] [--json]   (make cluster builds before)
A cluster on this machine: three brokers, the registry, the stores, two processes of every stage and view, two instances
of the API behind a balancer. Ctrl-C ends everything and removes the data; with --home the data stay there.`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    home: { type: 'string' },
    'no-sample': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
if (values.help === true) {
  console.log(HELP)
  process.exit(0)
}

const SAME_SIGNAL_MS = 1_000
const NO_SAMPLE: SamplePlan = { kind: 'none', at: null }
const { seconds, say } = stopwatch()

const home = values.home === undefined ? mkdtempSync(join(tmpdir(), 'story-cluster-')) : resolve(values.home)
const ending = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
const started = new StartedServers({ onProgress: say, signal: ending.signal })

let code = 0
let abortedAt = 0
try {
  await run()
} catch (cause) {
  if (!ending.signal.aborted) {
    console.error(cause)
    code = 1
    ending.abort() // what is still starting need not go on
  }
}
await started.end()
if (values.home === undefined && code === 0) rmSync(home, { recursive: true, force: true })
say(code === 0 ? 'everything has ended' : `the logs are in ${join(home, 'logs')}`)
process.exit(code) // a connection to a server that has ended must not keep it

/**
 * The first signal ends everything in order; a later one at once, which kills all children (`src/engines/leash.ts`).
 * Ctrl-C may arrive twice, from the terminal and from the program that started this one. Start this with `node`, not
 * with `tsx`: its parent process kills one that is too busy to answer a signal at once.
 */
function onSignal(): void {
  if (ending.signal.aborted) {
    if (performance.now() - abortedAt > SAME_SIGNAL_MS) process.exit(130)
    return
  }
  abortedAt = performance.now()
  say('ending the service, then its servers (Ctrl-C again: at once) ...')
  ending.abort()
}

async function run(): Promise<void> {
  const plan = values['no-sample'] ? NO_SAMPLE : await samplePlan()
  const cluster = await startCluster({ home, sampleAt: plan.at }, started)
  const { cli, secrets, balancer } = cluster
  const key = await demoKey(cli, { secrets, url: balancer.url, name: 'demo' })
  ending.signal.throwIfAborted()
  announce(cluster, key ?? '')
  await Promise.all([aborted(ending.signal), importing(cluster, plan)])
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** A home that has begun to import the sample goes on with the same dates; a new one begins now. */
async function samplePlan(): Promise<SamplePlan> {
  const now = Date.now()
  const hasBegun = existsSync(home) && readdirSync(home).some((file) => file.startsWith('sample-'))
  return hasBegun ? planSample(home, { brokers: [], now }) : { kind: 'import', at: new Date(now).toISOString() }
}

/** A failure is printed, and ends nothing that runs. */
async function importing({ cli, balancer }: LocalCluster, plan: SamplePlan): Promise<void> {
  const onImported = async (): Promise<void> => {
    say('sample imported')
    await correctSample(cli, balancer.url, await sampleCorrections(projectPath('samples')))
  }
  try {
    await importSample(cli, { home, plan, signal: ending.signal, onImported })
  } catch (cause) {
    if (!ending.signal.aborted) say(`sample not imported: ${messageOf(cause)}`)
  }
}

function announce(cluster: LocalCluster, key: string): void {
  const { balancer, brokers, registryUrl, stores, standIn } = cluster
  say('ready')
  if (values.json) {
    const pids = Object.fromEntries([...started.running].map(([name, one]) => [name, one.pid()]))
    const shown = stores.map(({ name, url, user, password }) => ({ name, url, user, password }))
    const at = { url: balancer.url, key, home, brokers, registry: registryUrl, stores: shown, platforms: standIn.url }
    console.log(JSON.stringify({ ready: true, seconds: seconds(), ...at, pids }))
    return
  }
  ;[
    `The cluster is ready at ${balancer.url} (Ctrl-C ends everything).`,
    `  key         ${key}`,
    `  dashboard   ${balancer.url}/`,
    `  Kafka       ${brokers.join(',')} (SASL_SSL, user story; passwords: ${join(cluster.home, 'secrets.json')})`,
    `  registry    ${registryUrl}`,
    ...stores.map(({ name, url, holds }) => `  store ${name}     ${url} (${holds})`),
    `  platforms   ${standIn.url}`,
    `  logs        ${join(cluster.home, 'logs')}`,
    'Try:',
    `  curl -s -H 'Authorization: Bearer ${key}' '${balancer.url}/v1/clusters?time_range=30d&sort=coverage&limit=5'`,
  ].forEach((line) => console.log(line))
}
