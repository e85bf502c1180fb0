import { mulberry32, seeded } from '../../quality/seeded-random.ts'
import { DAY_MS, HOUR_MS } from '../../domain/days.ts'

/** Which event each article reports, and when. Articles are in the order of their event times, which they arrive in. */
export interface WorldSchedule {
  /** By article: the number of its event. */
  readonly event: Uint32Array
  /** By article: 0 for the first article of its event. */
  readonly ordinal: Uint16Array
  /** By article: milliseconds since 1970. */
  readonly time: Float64Array
  readonly events: number
}

/** The end of the generated days. In the past, since the runtime caps event times that are ahead of the log's clock. */
const END = Date.UTC(2025, 5, 16)
/** A little more than the window in which an article can join a story, so that some stories are no longer live. */
const DAYS = 16
/**
 * The share of events with n articles falls with n to this power. It fits the stories that the clusterer finds in
 * AllSides: 72 % have one article, 14 % two, 6 % three, 4 % four.
 */
const SIZE_EXPONENT = 2.3
const LARGEST = 500
/** Articles on an event arrive after its first with this mean delay. */
const MEAN_DELAY_MS = 10 * HOUR_MS

/** The schedule of so many articles. More articles are more events on the same days. */
export function schedule(articles: number, seed: string): WorldSchedule {
  const random = mulberry32(Math.floor(seeded(`${seed} schedule`)() * 2 ** 32))
  const sizes = sizeTable(Math.max(1, Math.min(LARGEST, Math.floor(articles / 20))))
  const event = new Uint32Array(articles)
  const ordinal = new Uint16Array(articles)
  const time = new Float64Array(articles)
  let [events, filled] = [0, 0]
  for (; filled < articles; events++) {
    const begins = END - DAYS * DAY_MS + startOf(random) * DAY_MS
    const size = Math.min(sizeFor(sizes, random()), articles - filled)
    for (let n = 0; n < size; n++) {
      const delay = n === 0 ? 0 : -MEAN_DELAY_MS * Math.log(1 - random())
      const left = END - begins
      event[filled] = events
      ordinal[filled] = n
      time[filled++] = Math.floor(begins + (delay < left ? delay : random() * left))
    }
  }
  return inOrder({ event, ordinal, time, events })
}

/** Days after the first. Twice as many events begin in the second half of a day. */
function startOf(random: () => number): number {
  const day = Math.floor(random() * DAYS)
  const half = random() < 1 / 3 ? 0 : 0.5
  return day + half + random() / 2
}

/** Cumulative shares of the sizes 1, 2, 3 … */
function sizeTable(largest: number): Float64Array {
  const table = new Float64Array(largest)
  let sum = 0
  for (let n = 1; n <= largest; n++) {
    sum += n ** -SIZE_EXPONENT
    table[n - 1] = sum
  }
  return table.map((value) => value / sum)
}

/** The smallest size whose cumulative share exceeds `at`. */
const sizeFor = (table: Float64Array, at: number): number => table.findIndex((share) => share > at) + 1 || table.length

function inOrder({ event, ordinal, time, events }: WorldSchedule): WorldSchedule {
  const order = Uint32Array.from(time, (_, i) => i).sort((a, b) => (time[a] ?? 0) - (time[b] ?? 0) || a - b)
  return {
    event: order.map((i) => event[i] ?? 0),
    ordinal: Uint16Array.from(order, (i) => ordinal[i] ?? 0),
    time: Float64Array.from(order, (i) => time[i] ?? 0),
    events,
  }
}
