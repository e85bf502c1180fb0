import { setTimeout } from 'node:timers/promises'
import { pipeline } from '../../pipeline.ts'
import { monitorsChanged } from '../../events/monitors.ts'
import type { Log } from '../../ports/log.ts'
import { thisCli } from '../../wiring/up/service.ts'
import { asLine, importableFile, importFile, withOwnService, withWiringOf, type OwnService } from '../own-service.ts'
import { requireArticles, type BenchPart, type BenchResult, type BenchSetting } from '../part.ts'
import { processTree, roleOf } from '../processes.ts'
import { writeEvents } from '../topic-events.ts'
import { comparedMatches } from './comparison.ts'
import { deliveryTimes, deliveryLines } from './delivery.ts'
import { generatedMonitors } from './generated-monitors.ts'

const MONITORS = 1_000
/** Articles that arrive while deliveries are timed; the others are imported before. */
const TIMED = 300
const KILLS = 3
const KILL_EVERY_MS = 20_000

export const monitors: BenchPart = {
  about: `${MONITORS} monitors over --articles, the service killed ${KILLS} times; matches compared with the views; time to delivery`,
  alone: measure,
}

async function measure(setting: BenchSetting): Promise<BenchResult> {
  const { wiring, articles } = setting
  requireArticles(articles.length, 2 * TIMED)
  await wiring.close()
  // the receiver of the deliveries is on this machine
  const cli = thisCli({ ...wiring.environment, WEBHOOKS_ALLOW_LOOPBACK: '1' })
  return withOwnService(cli, async (service) => {
    const all = generatedMonitors(articles, MONITORS)
    await withWiringOf(service, async (own) =>
      writeEvents({ log: await own.log(), codec: await own.codec() }, monitorsChanged, all),
    )
    const imported = await importWithKills(service, setting)
    const compared = await withWiringOf(service, async (own) => {
      const log = await own.log()
      await untilRead(log)
      return comparedMatches(all, {
        log: { log, codec: await own.codec() },
        store: await own.store(),
        now: own.clock.now(),
      })
    })
    const delivery = await deliveryTimes(service, articles.slice(-TIMED))
    const figures = { monitors: MONITORS, ...imported, ...compared, delivery }
    return {
      figures,
      lines: [
        `  ${MONITORS} monitors, ${imported.accepted} articles in ${imported.seconds.toFixed(0)} s, ${imported.kills} kills`,
        `  matches ${compared.matches}   repeated ${compared.repeated}   missing ${compared.missing} of ${compared.met}   no longer met ${compared.no_longer_met}`,
        ...deliveryLines(delivery),
      ],
    }
  })
}

/** Imports the articles and kills the process of all stages meanwhile; the supervisor starts it again. */
async function importWithKills(service: OwnService, { articles }: BenchSetting) {
  const file = await importableFile(service.home, articles.slice(0, -TIMED).map(asLine))
  const ended = new AbortController()
  const killing = killed(service, ended.signal)
  const { accepted, seconds } = await importFile(service, file, '--wait').finally(() => ended.abort())
  return { accepted, seconds, kills: await killing }
}

async function killed(service: OwnService, ended: AbortSignal): Promise<number> {
  let kills = 0
  for (; kills < KILLS; kills++) {
    const waited = await setTimeout(KILL_EVERY_MS, true, { signal: ended }).catch(() => false)
    if (!waited) break
    for (const one of processTree(service.pid)) if (roleOf(one) === 'service') process.kill(one.pid, 'SIGKILL')
  }
  return kills
}

const POLL_MS = 500

/** Until the stage has read everything that is in the log. */
async function untilRead(log: Log): Promise<void> {
  const { reads } = pipeline.stages.matched
  for (;;) {
    const behind = await Promise.all(reads.map((topic) => lag(log, topic)))
    if (behind.every((one) => one === 0)) return
    await setTimeout(POLL_MS)
  }
}

async function lag(log: Log, topic: string): Promise<number> {
  const [ends, committed] = [await log.ends(topic), await log.committed('matched', topic)]
  return ends.reduce((sum, end, partition) => sum + Math.max(0, end - (committed[partition] ?? 0)), 0)
}
