import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { loadConfig } from '../../src/config/config.ts'
import { connect } from '../../src/wiring/connect.ts'
import { demoKey } from '../../src/wiring/up/steps.ts'
import { argumentsBy, seedAndJson, stopwatch } from '../chaos/command-line.ts'
import { ChaosRandom } from '../chaos/random.ts'
import { chunks, importChunk } from '../chaos/work.ts'
import { type LocalCluster, startCluster } from './cluster.ts'
import { applyFault, faultPlan } from './faults.ts'
import { type ClusterFinalState, finalStateOf, untilEqual } from './final-state.ts'
import { readUntil } from './reader.ts'
import { StartedServers } from './started-servers.ts'
import { OWN_NAMESPACE } from './stores.ts'

const Given = z.object({
  faults: z.coerce.number().int().min(0).default(60),
  ...seedAndJson,
})

const BETWEEN_MS = [1_000, 5_000] as const
/** A broker that is back first catches up: two copies of three are needed. */
const AFTER_BROKER_MS = 10_000
/** Articles of an import. */
const AT_ONCE = 6
const MOST_ARTICLES = 10_000
/** An import that takes longer is ended and repeated, as a person would. */
const IMPORT_MS = 120_000

const HELP = `node --import tsx test/cluster/chaos.ts [--faults N] [--seed S] [--json]   (make cluster-chaos builds before)
Starts the cluster of \`make cluster\`, imports articles into two namespaces, and meanwhile kills and pauses brokers, stores,
processes of the service and instances of the API, and cuts the service off from brokers and stores, one at a time. The exit code is 0 only if every article is in each store
that holds its namespace, the stores with the same namespaces have equal hashes, no event is there twice, and there is no
dead letter.`

const given = argumentsBy(Given, HELP)
const { seed } = given
const { seconds, say } = stopwatch()

const ending = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort())
const home = mkdtempSync(join(tmpdir(), 'story-cluster-'))
const started = new StartedServers({ onProgress: say, signal: ending.signal })
let passed = false
try {
  say(`seed ${seed}: the same faults in the same order with --seed ${seed}`)
  const report = await run(await startCluster({ home, sampleAt: null, proxied: true }, started))
  passed = report.failures.length === 0
  if (given.json) console.log(JSON.stringify({ passed, ...report }))
  else console.log(`${passed ? 'passed' : 'failed'}: ${JSON.stringify(report, null, 2)}`)
} catch (cause) {
  console.error(cause)
}
await started.end()
if (passed) rmSync(home, { recursive: true, force: true })
else say(`the logs are in ${join(home, 'logs')}`)
process.exit(passed ? 0 : 1) // a connection to a server that has ended must not keep it

async function run(cluster: LocalCluster) {
  const { cli, secrets, balancer, stores } = cluster
  const readyAfter = seconds()
  say('ready')
  const key = (await demoKey(cli, { secrets, url: balancer.url, name: 'chaos' })) ?? ''
  const over = new AbortController()
  const stop = AbortSignal.any([over.signal, ending.signal])
  const [reads, imports] = await Promise.all([
    readUntil(balancer.url, key, stop),
    importUntil(cluster, stop),
    disturb().finally(() => over.abort()),
  ])
  await untilEqual(cli, say)
  const wiring = connect(loadConfig(cli.environment), cli.environment)
  const left = await finalStateOf(wiring, stores)
  await wiring.close()
  const failures = failuresOf(left, imports.imported)
  return {
    failures,
    seed,
    faults: given.faults,
    ready_after_s: readyAfter,
    seconds: seconds(),
    ...imports,
    ...left,
    reads,
  }
}

async function disturb(): Promise<void> {
  const random = new ChaosRandom(seed)
  const names = { processes: [...started.running.keys()], proxied: [...started.proxies.keys()] }
  const plan = faultPlan(names, given.faults, random)
  for (const [i, fault] of plan.entries()) {
    await sleep(random.between(...BETWEEN_MS))
    say(`${i + 1} of ${plan.length}: ${fault.kind} ${fault.name}, ${Math.round(fault.forMs)} ms`)
    await applyFault(fault, started)
    if (fault.name.startsWith('kafka')) await sleep(AFTER_BROKER_MS)
    ending.signal.throwIfAborted()
  }
}

/** Imports into both kinds of namespaces in turn. Returns how many articles, and how often an import was repeated. */
async function importUntil({ cli, home: folder }: LocalCluster, stop: AbortSignal) {
  const environment = { ...cli.environment, STORY_HOME: folder }
  let [imported, repeated] = [0, 0]
  for (const [i, chunk] of [...chunks(MOST_ARTICLES, AT_ONCE)].entries()) {
    if (stop.aborted) break
    const namespace = i % 3 === 2 ? OWN_NAMESPACE : chunk.namespace
    repeated += await importChunk({ ...chunk, namespace }, environment, IMPORT_MS)
    imported += chunk.articles
    say(`${imported} articles are in`)
  }
  return { imported, imports_again: repeated }
}

function failuresOf({ lost, doubled, deadLetters, published }: ClusterFinalState, imported: number): readonly string[] {
  return [
    ...Object.entries(lost).flatMap(([store, count]) => (count > 0 ? [`store ${store} lacks ${count} articles`] : [])),
    ...(doubled.length > 0 ? [`${doubled.length} events are there twice`] : []),
    ...(deadLetters.length > 0 ? [`${deadLetters.length} dead letters`] : []),
    ...(published < imported ? [`${imported} articles were imported, and the log has ${published}`] : []),
  ]
}
