import { computed, effect, signal, untracked } from '@preact/signals'
import { paceMs } from './allowance.ts'
import { heardAt, mayBeBehind, type Burst } from './burst.ts'
import { fold, type DashboardNews, type NewsChange } from './news.ts'
import { asOf } from './place.ts'
import { allowance, client } from './service.ts'
import { key } from './session.ts'

/** Grows when something has changed and lists are to be read again, never faster than the reader's key allows. */
export const turn = signal(0)

/** What was heard of stories since the page was opened. */
export const news = signal<DashboardNews>(new Map())

/** `past`: an earlier moment is looked at, which does not change. */
export const feed = signal<'off' | 'live' | 'past'>('off')

/** Views may show a change a moment after the feed delivers it, or before: lists are read again, so long after the last. */
const AFTERWARDS_MS = 1_500

const heard: NewsChange[] = []
let planned: 'soon' | 'afterwards' | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let last = 0
let burst: Burst = { since: -Infinity, last: -Infinity }

/** Many lines become one turn: the first is passed on at once, what follows it waits. */
function hear(change: NewsChange): void {
  heard.push(change)
  burst = heardAt(burst, performance.now())
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
  const lines = heard.splice(0)
  news.value = fold(news.value, lines)
  turn.value += 1
  if (lines.length === 0 && !mayBeBehind(burst, last)) return
  plan('afterwards', Math.max(AFTERWARDS_MS, paceMs(allowance.value)))
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
  for await (const event of client.value.events({ types: TYPES, signal })) hear(event)
}

const mode = computed(() => (key.value === '' ? 'off' : asOf() === undefined ? 'live' : 'past'))

/** Follows the feed while there is a key and the present is looked at. */
export function followTheFeed(): void {
  effect(() => {
    if (mode.value !== 'live') {
      feed.value = mode.value
      return undefined
    }
    const end = new AbortController()
    untracked(() => {
      follow(end.signal).catch(() => (feed.value = 'off')) // refused for good: other requests say why
    })
    return () => end.abort()
  })
}
