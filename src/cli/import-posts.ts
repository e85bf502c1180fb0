import { basename } from 'node:path'
import type { Command } from 'commander'
import { discoursePosts, storiesEnriched } from '../events/discourse.ts'
import { clockTicked } from '../events/settings.ts'
import { viewGroup } from '../ports/log.ts'
import type { FilesPorts } from '../sources/import-files.ts'
import { importPosts, type PostsTally, tryPosts } from '../sources/import-posts.ts'
import { jsonlRecords } from '../sources/jsonl.ts'
import { checkPaths, openSource } from '../sources/open-source.ts'
import { waitUntilCaughtUp } from '../sources/wait.ts'
import { STAGES } from '../events/stages.ts'
import { echo } from '../views/row-per-event.ts'
import { checkedOptions, importPorts, type ImportOptions, printRefusals, withImportOptions } from './import-options.ts'
import { checkOutcome, counted } from './import-report.ts'
import type { Wiring } from '../ports/wiring.ts'

export const importPostsCommand = (group: Command, wiring: Wiring): void => {
  const command = group
    .command('posts')
    .argument('<file>', 'file to import')
    .description('import public posts from a JSONL file (also .gz; - reads standard input)')
  withImportOptions(command, 'posts').action((file: string, options: ImportOptions) => run(wiring, options, file))
}

async function run(wiring: Wiring, options: ImportOptions, file: string): Promise<void> {
  const startedAt = wiring.clock.now()
  const tally = await importFile(wiring, options, file)
  const seconds = (wiring.clock.now() - startedAt) / 1000
  const { accepted, refusals } = tally
  if (options.json) wiring.out.json({ accepted, refused: refusals.length, refusals, seconds })
  else print(wiring, tally, seconds)
  const strict = options.strict === true
  checkOutcome({ accepted, refused: refusals.length, strict, emptyIsFailure: true })
}

function print(wiring: Wiring, { accepted, refusals }: PostsTally, seconds: number): void {
  printRefusals(
    wiring,
    refusals.map(({ line, reason, field }) => `line ${line}: ${reason}${field === null ? '' : ` (${field})`}`),
  )
  wiring.out.line(`${counted(accepted, 'post')} accepted, ${refusals.length} refused, ${seconds.toFixed(1)} s`)
}

async function importFile(wiring: Wiring, options: ImportOptions, file: string): Promise<PostsTally> {
  const checked = checkedOptions(options)
  const ports = importPorts(wiring)
  await checkPaths([file], 'jsonl')
  const { bytes } = await openSource(file, ports.stdin)
  const records = jsonlRecords(bytes)
  if (options.dryRun) return tryPosts(records)

  const [log, codec] = [await ports.log(), await ports.codec()]
  const onAway = (): void => ports.progress.print(`${basename(file)}: Kafka is not reachable, retrying`)
  const tally = await importPosts({ records, ...checked }, { log, codec, clock: ports.clock, onUnavailable: onAway })
  if (options.wait) await waitForPosts(ports)
  ports.progress.end()
  return tally
}

/** A post that matches no story never appears in a view, so this waits for the committed offsets of the consumers. */
async function waitForPosts({ clock, progress, ...ports }: FilesPorts): Promise<void> {
  progress.print('waiting until the posts are assigned to stories')
  const postReader = { group: STAGES.enriched.stage, topic: discoursePosts.name, transactional: false }
  const tickReader = { group: STAGES.enriched.stage, topic: clockTicked.name, transactional: false }
  const onAway = (): void => progress.print('waiting for the posts: Kafka is not reachable, retrying')
  const view = { group: viewGroup(echo.name), topic: storiesEnriched.name, transactional: true }
  await waitUntilCaughtUp([postReader, tickReader, view], { log: await ports.log(), clock, onUnavailable: onAway })
}
