import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { loadConfig } from '../../src/config/config.ts'
import { connect } from '../../src/wiring/connect.ts'
import { askCli } from '../../src/wiring/up/service.ts'
import { argumentsBy, seedAndJson, stopwatch } from '../chaos/command-line.ts'
import { ChaosRandom } from '../chaos/random.ts'
import { importChunk } from '../chaos/work.ts'
import { clientOf } from './client.ts'
import { type LocalCluster, prepareEngines, startCluster } from './cluster.ts'
import { applyFault, faultPlan, isOfBrokers, rollingRestart, rollingUpgrade } from './faults.ts'
import { feedFigures, type FeedFigures } from './feed.ts'
import { FeedFollower } from './feed-follower.ts'
import { type ClusterFinalState, finalStateOf, untilEqual } from './final-state.ts'
import { builtCli, buildOf } from './processes.ts'
import { loseDisk } from './lost-disk.ts'
import { type ClusterReads, readUntil } from './reader.ts'
import { StartedServers } from './started-servers.ts'
import { OWN_NAMESPACE } from './stores.ts'
import { COPIED_NAMESPACE, importsOf } from './work.ts'

const Given = z.object({
  faults: z.coerce.number().int().min(0).default(60),
  /** Spread over so many minutes; otherwise one comes some seconds after the one before. */
  minutes: z.coerce.number().min(0).default(0),
  /** JSONL file of the articles that are imported; otherwise the sample. */
  file: z.string().optional(),
  /** Restarts everything in turn instead. */
  rolling: z.boolean().default(false),
  /** The store whose disk is lost instead. */
  lose: z.string().optional(),
  /** Folder of a checkout that is built: the cluster starts with its version, and the restarts bring this one. */
  from: z.string().optional(),
  /** Folder for an archive of `ARCHIVED`. */
  archive: z.string().optional(),
  ...seedAndJson,
})

/** The articles, and what else the clusterer reads. */
const ARCHIVED = ['articles.ingested', 'articles.scored', 'articles.analyzed', 'clock.ticked', 'corrections.requested']

const BETWEEN_MS = [1_000, 5_000] as const
/** A broker that is back first catches up: two copies of three are needed. */
const AFTER_BROKER_MS = 10_000
/** How long articles are imported before an upgrade begins, or a disk is lost. */
const UNDISTURBED_MS = 60_000
/** An import that takes longer is ended and repeated, as a person would. */
const IMPORT_MS = 120_000

/** The share of reads that must succeed. */
const AVAILABILITY = 0.995

const HELP = `node --import tsx test/cluster/chaos.ts [--faults N] [--minutes M] [--file JSONL] [--archive FOLDER] [--seed S] [--rolling [--from FOLDER] | --lose STORE] [--json]   (make cluster-chaos builds before)
Starts the cluster of \`make cluster\`, imports articles into two namespaces, and meanwhile kills and pauses brokers, stores,
processes of the service and instances of the API, cuts the service off from brokers and stores, and brokers from each other,
one at a time. --minutes spreads the faults over so many minutes, and --archive FOLDER archives the articles at the end, to
compare the hashes with those of another run over them. With
--rolling everything is restarted in turn instead; with --from the cluster starts with the version that is built in another
folder, and the processes of the service are upgraded to this one by these restarts. With --lose the data of a store are
deleted instead, and it is filled again while the others serve. The exit code is 0 only if every article is in each store
that holds its namespace, the stores with the same namespaces have equal hashes, no event is there twice, there is no
dead letter, clients that follow the change feeds receive every change in order, and ${AVAILABILITY * 100} % of the reads succeed, with --rolling all of them at the second attempt.`

const given = argumentsBy(Given, HELP)
const { seed } = given
const { seconds, say } = stopwatch()

const ending = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort())

/** Throws when the run is interrupted. */
const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: ending.signal })

const home = mkdtempSync(join(tmpdir(), 'story-cluster-'))
const started = new StartedServers({ onProgress: say, signal: ending.signal })
const build = buildOf(given.from)
let passed = false
try {
  say(`seed ${seed}: the same faults in the same order with --seed ${seed}`)
  const report = await run(await startCluster({ home, sampleAt: null, proxied: true, build }, started))
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
  const { cli, stores } = cluster
  const readyAfter = seconds()
  say('ready')
  const copied = await clientOf(cluster, COPIED_NAMESPACE)
  const followers = [copied, await clientOf(cluster, OWN_NAMESPACE)].map((client) => new FeedFollower(client))
  const over = new AbortController()
  const stop = AbortSignal.any([over.signal, ending.signal])
  const following = Promise.all(followers.map((follower) => follower.follow(stop)))
  const [reads, imports, disturbances] = await Promise.all([
    readUntil(copied, stop),
    importUntil(cluster, stop),
    (given.lose === undefined ? disturb(cluster) : disturbDisk(given.lose, cluster)).finally(() => over.abort()),
  ])
  await following
  const hashes = await untilEqual(cli, say)
  const wiring = connect(loadConfig(cli.environment), cli.environment)
  const left = await finalStateOf(wiring, stores)
  const from = { log: await wiring.log(), codec: await wiring.codec() }
  const feeds: FeedFigures[] = []
  for (const follower of followers) feeds.push(await feedFigures(follower, from))
  await wiring.close()
  if (given.archive !== undefined) await askCli(cli, ['archive', 'export', given.archive, ...ARCHIVED])
  const failures = failuresOf({ ...left, ...imports, feeds, reads })
  return {
    failures,
    seed,
    disturbances,
    ready_after_s: readyAfter,
    seconds: seconds(),
    ...imports,
    ...left,
    feeds,
    reads,
    hashes,
  }
}

/** Returns how often. */
async function disturb(cluster: LocalCluster): Promise<number> {
  const random = new ChaosRandom(seed)
  const plan = given.rolling ? await rollingPlan(cluster) : faultPlan(names(), given.faults, random)
  const begun = performance.now()
  for (const [i, fault] of plan.entries()) {
    const due = begun + (i / plan.length) * given.minutes * 60_000
    await pause(Math.max(random.between(...BETWEEN_MS), due - performance.now()))
    say(`${i + 1} of ${plan.length}: ${fault.kind} ${fault.name}, ${Math.round(fault.forMs)} ms`)
    await applyFault(fault, started)
    if (isOfBrokers(fault)) await pause(AFTER_BROKER_MS)
  }
  return plan.length
}

/** The cluster is read for a minute more, while the store is filled. */
async function disturbDisk(store: string, cluster: LocalCluster): Promise<number> {
  await pause(UNDISTURBED_MS)
  await loseDisk(store, cluster, started)
  await pause(UNDISTURBED_MS)
  return 1
}

function names() {
  return { processes: [...started.running.keys()], proxied: [...started.proxies.keys()] }
}

/** The new version first prepares topics, schemas and tables, as `docs/upgrading.md` says. */
async function rollingPlan({ cli }: LocalCluster) {
  if (given.from === undefined) return rollingRestart(names().processes)
  await pause(UNDISTURBED_MS)
  build.main = buildOf().main
  await prepareEngines(builtCli(build, cli.environment), started)
  return rollingUpgrade(names().processes)
}

/** Imports into both kinds of namespaces in turn. Returns how many articles, and how often an import was repeated. */
async function importUntil({ cli, home: folder }: LocalCluster, stop: AbortSignal) {
  const environment = { ...cli.environment, STORY_HOME: folder }
  let [imported, repeated] = [0, 0]
  for (const chunk of importsOf(given.file)) {
    if (stop.aborted) return { imported, imports_again: repeated, import_ended_early: false }
    repeated += await importChunk(chunk, environment, IMPORT_MS)
    imported += chunk.articles
    say(`${imported} articles are in`)
  }
  return { imported, imports_again: repeated, import_ended_early: true }
}

interface ChaosOutcome extends ClusterFinalState {
  readonly imported: number
  readonly import_ended_early: boolean
  readonly feeds: readonly FeedFigures[]
  readonly reads: ClusterReads
}

function failuresOf(outcome: ChaosOutcome): readonly string[] {
  const { lost, doubled, deadLetters, published, imported, feeds, reads } = outcome
  return [
    ...(outcome.import_ended_early ? ['all articles were in before the last fault: give more with --file'] : []),
    ...Object.entries(lost).flatMap(([store, count]) => (count > 0 ? [`store ${store} lacks ${count} articles`] : [])),
    ...(doubled.length > 0 ? [`${doubled.length} events are there twice`] : []),
    ...(deadLetters.length > 0 ? [`${deadLetters.length} dead letters`] : []),
    ...(published < imported ? [`${imported} articles were imported, and the log has ${published}`] : []),
    ...feeds.flatMap(({ namespace, failures }) => failures.map((failure) => `${namespace}: ${failure}`)),
    ...feeds.flatMap(({ namespace, changes }) => (changes === 0 ? [`${namespace}: nothing was imported`] : [])),
    ...(!(reads.availability >= AVAILABILITY) ? [`${reads.failed} of ${reads.reads} reads failed`] : []),
    ...(given.rolling && reads.failed_again > 0 ? [`${reads.failed_again} reads failed twice`] : []),
  ]
}
