import { dayName, dayOf } from '../../domain/days.ts'
import { dayEntry } from '../../stages/clustered/records.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { median } from '../rounds.ts'
import { filled, NOT_FULL, timed, type ClusterBenchInput } from './cluster-bench.ts'
import { asRemembered, livingStories, NAMESPACE, NOW } from './world.ts'

export interface RebuildFigure {
  readonly articles_in_window: number
  /** CPU milliseconds of one tick that rebuilds the last day, median of three, and an article of its window. */
  readonly tick_ms: number
  readonly ms_an_article: number
  /** Stories that were merged, split or moved. */
  readonly changes: number
}

const ROUNDS = 3
/** Of noon back to early on the first day: the window's five event days, none further. */
const DAYS_BACK = 4.4

/** A tick at the end of a day whose window holds so many articles; the days before were rebuilt already. */
export function benchRebuild({ articles, model, texts, onProgress }: ClusterBenchInput, window: number): RebuildFigure {
  onProgress(`a day is rebuilt with ${window} articles in its window ...`)
  const stage = clustered({ ...model, budget: NOT_FULL, texts })
  const real = asRemembered(articles, model)
  const stories = livingStories(real, { clusters: window, days: DAYS_BACK, mu: model.mu })
  const memory = filled(stage, firstOf(stories, window))
  const today = dayOf(NOW)
  let { state } = memory
  for (let day = today - model.weights.rebuild.window_days; day < today; day++) {
    state = stage.memory.evolve(state, dayEntry(NAMESPACE, { day: dayName(day), up_to: NOT_FULL }))
  }
  const event = { event_id: 'tick', namespace: NAMESPACE, tick_at: NOW, flush: true }
  const tick = {
    event,
    topic: 'clock.ticked',
    place: { topic: 'clock.ticked', partition: 0, offset: 0 },
    loggedAt: NOW,
  }
  const ticks = Array.from({ length: ROUNDS }, () => timed(() => stage.decide(state, tick)))
  const [first] = ticks
  const changes = first?.value.kind === 'emit' ? first.value.events.filter(({ action }) => action !== 'rebuilt') : []
  const tick_ms = median(ticks.map(({ ms }) => ms))
  return { articles_in_window: window, tick_ms, ms_an_article: tick_ms / window, changes: changes.length }
}

function* firstOf<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  let taken = 0
  for (const item of items) {
    if (taken++ === count) return
    yield item
  }
}
