import { computed, effect, signal, untracked } from '@preact/signals'
import { fold, type DashboardNews, type NewsChange } from './news.ts'
import { asOf } from './place.ts'
import { extendBurst, mayLag, paceMs, type Burst } from './read-pace.ts'
import { allowance, client } from './service.ts'
import { key } from './session.ts'

/** Incremented when lists must be read again, no faster than the rate limit of the API key allows. */
export const turn = signal(0)

/** The changes of stories since the page was opened. */
export const news = signal<DashboardNews>(new Map())

/** `past` while an earlier point in time is shown, which does not change. */
export const feed = signal<'off' | 'live' | 'past'>('off')

/** Views can lag behind the feed: lists are read once more this long after the last event. */
const VIEW_LAG_MS = 1_500

const received: NewsChange[] = []
let planned: 'soon' | 'afterwards' | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let last = 0
let burst: Burst = { since: -Infinity, last: -Infinity }

/** Combines many events into one turn: the first triggers a read immediately, the following ones wait. */
function receive(change: NewsChange): void {
  received.push(change)
  burst = extendBurst(burst, performance.now())
  if (planned !== 'soon') plan('soon', Math.max(0, last + paceMs(allowance.value) - performance.now()))
}

function plan(kind: 'soon' | 'afterwards', ms: number): void {
  clearTimeout(timer)
  planned = kind
  timer = setTimeout(read, ms)
}

function read(): void {
  planned = null
  last = performance.now()
  const changes = received.splice(0)
  news.value = fold(news.value, changes)
  turn.value += 1
  if (changes.length === 0 && !mayLag(burst, last)) return
  plan('afterwards', Math.max(VIEW_LAG_MS, paceMs(allowance.value)))
}

const TYPES = [
  'cluster.opened',
  'cluster.grown',
  'cluster.moved',
  'cluster.merged',
  'cluster.split',
  'cluster.settled',
  'cluster.corrected',
  'story.transitioned',
]

async function follow(signal: AbortSignal): Promise<void> {
  feed.value = 'live'
  for await (const event of client.value.events({ types: TYPES, signal })) receive(event)
}

const mode = computed(() => (key.value === '' ? 'off' : asOf() === undefined ? 'live' : 'past'))

/** Follows the feed while there is a key and the present is shown. */
export function followTheFeed(): void {
  effect(() => {
    if (mode.value !== 'live') {
      feed.value = mode.value
      return undefined
    }
    const end = new AbortController()
    untracked(() => {
      follow(end.signal).catch(() => (feed.value = 'off')) // a permanent failure: other requests report the reason
    })
    return () => end.abort()
  })
}
