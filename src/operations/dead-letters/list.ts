import type { Wiring } from '../../ports/wiring.ts'
import { filterOf, type FilterOptions } from './filter.ts'
import { look, type DeadRecord } from './letters.ts'
import { countsOf, lineOfCount } from './counts.ts'
import { deadTopics, meant } from './read-letters.ts'
import { lineOf, shown } from './letter-lines.ts'

export interface DeadListOptions extends FilterOptions {
  readonly summary?: true
  readonly json?: true
}

export async function list(wiring: Wiring, options: DeadListOptions): Promise<void> {
  const letters = found(wiring, options)
  if (options.summary) await summarise(wiring, letters, options.json === true ? 'json' : 'lines')
  else await listed(wiring, letters, options.json === true ? 'json' : 'lines')
}

/** The letters that are meant, as they are read. */
async function* found(wiring: Wiring, options: FilterOptions): AsyncIterable<DeadRecord> {
  const filter = filterOf(options, wiring.clock.now())
  const log = await wiring.log()
  const looked = await look(log, deadTopics(options.topic), () => undefined)
  yield* meant({ log, codec: () => wiring.codec() }, looked, filter)
}

type As = 'json' | 'lines'

async function listed({ out }: Wiring, letters: AsyncIterable<DeadRecord>, as: As): Promise<void> {
  const all: ReturnType<typeof shown>[] = []
  for await (const letter of letters) {
    const one = shown(letter)
    if (as === 'json') all.push(one)
    else out.line(lineOf(one))
  }
  if (as === 'json') out.json({ letters: all })
}

async function summarise({ out }: Wiring, letters: AsyncIterable<DeadRecord>, as: As): Promise<void> {
  const counts = await countsOf(letters)
  const total = counts.reduce((sum, { letters: count }) => sum + count, 0)
  if (as === 'json') out.json({ total, counts })
  else {
    counts.forEach((count) => out.line(lineOfCount(count)))
    out.line(`${total} dead letters`)
  }
}
