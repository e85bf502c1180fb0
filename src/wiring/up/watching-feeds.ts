import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { feedListFile } from '../../operations/init/feed-list-file.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { parseOpml } from '../../sources/feeds/parse-opml.ts'
import { askCli, type Cli } from './service.ts'

const Watched = z.object({ added: z.array(z.unknown()), known: z.array(z.unknown()) })

/**
 * Watches the feeds of the home's list, once per content of the list: a feed that is removed later is not added again.
 * Feeds are not read first, so that a start needs no network. A failure is reported but does not stop the running
 * service; the next start tries again.
 */
export async function watchingFeeds(cli: Cli, home: string, out: Pick<Wiring['out'], 'progress'>): Promise<void> {
  const list = feedListFile(home)
  const done = join(home, 'feeds-watched')
  if (!existsSync(list)) return
  if ((parseOpml(readFileSync(list, 'utf8')) ?? []).length === 0) return
  const hash = createHash('sha256').update(readFileSync(list)).digest('hex')
  if (existsSync(done) && readFileSync(done, 'utf8').trim() === hash) return
  try {
    const answer = await askCli(cli, ['feeds', 'add', '--opml', list, '--unchecked', '--json'])
    const { added, known } = Watched.parse(JSON.parse(answer))
    writeFileSync(done, `${hash}\n`)
    out.progress(`watched feeds of ${list}: ${added.length + known.length} (story feeds list)`)
  } catch (cause) {
    out.progress(`feeds of ${list} not watched: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
