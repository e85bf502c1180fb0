import fc from 'fast-check'
import { expect, it } from 'vitest'
import { articlesScored } from '../../../src/events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../../../src/events/ledger.ts'
import { storiesTransitioned, type LifecycleState } from '../../../src/events/lifecycle.ts'
import type { MonitorConditions } from '../../../src/events/monitors.ts'
import { monitorPreview } from '../../../src/views/monitors/preview.ts'
import { aScoredArticle } from '../../builders/articles.ts'
import { aReport, aTransition, at, liveMatched, type MatchedIn } from '../../builders/matched.ts'
import { aMonitor, ANY } from '../../builders/monitors.ts'
import { sized } from '../../builders/sizes.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

/** An article of a story; small enough to read in a counterexample. */
const aStep = fc.record({
  story: fc.constantFrom('s', 't'),
  group: fc.constantFrom('syn_1', 'syn_2', 'syn_3'),
  title: fc.constantFrom('Flood in ÉVRY', 'Fire at the "central bank"', '東京で選挙'),
  text: fc.constantFrom('The river rose by 5.5 m.', 'Smoke over the river; e-mails were sent.'),
  source: fc.constantFrom('Élysée Times', 'The Post', null),
  language: fc.constantFrom('en', 'fr'),
  categories: fc.subarray(['politics', 'health']),
  names: fc.subarray(['Ada', 'Évry']),
  country: fc.constantFrom('FR', 'NO'),
  sentiment_score: fc.constantFrom(-1, 0, 0.25),
  state: fc.constantFrom<LifecycleState | null>(null, null, 'breaking', 'concluded'),
})

const conditions: fc.Arbitrary<MonitorConditions> = fc
  .record(
    {
      query: fc.constantFrom('évry', '"central bank"', 'river -smoke', 'FLOOD*', '選挙', 'e-mail*', '5.5', 'riv', 'bank fire'),
      entity_names: fc.constantFrom(['ada'], ['évry', 'nobody']),
      entity_ids: fc.constantFrom(['ent_Ada']),
      places: fc.constantFrom(['FR'], ['SE', 'NO']),
      categories: fc.constantFrom(['politics'], ['politics', 'health']),
      languages: fc.constantFrom(['fr'], ['fr', 'de']),
      sources: fc.constantFrom(['élysée times'], ['times.example.com'], ['nobody']),
      lifecycle_states: fc.constantFrom<LifecycleState[]>(['breaking'], ['concluded', 'mature']),
      min_origins: fc.constantFrom(1, 2, 3),
      min_velocity: fc.constantFrom(1, 3),
      max_sentiment: fc.constantFrom(-0.5, 0),
    },
    { requiredKeys: [] },
  )
  .map((some) => ({ ...ANY, ...some }))

it('the preview of each monitor shows the stories that the stage matches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { minLength: 1, maxLength: 8 }),
      fc.array(conditions, { minLength: 12, maxLength: 12 }),
      async (steps, all) => {
        const namespace = aNamespace()
        const monitors = all.map((one, i) => aMonitor({ monitor_id: `mon_${i}`, conditions: one, namespace }))
        const { events, placed } = await written(namespace, steps)
        // evaluated at the end only, since the views show the last state of each story
        const last = placed.map((event) => ({ ...event, namespace }))
        const { emitted } = liveMatched([...monitors, ...events.filter(isNoTransition), ...last, ...events.filter(isTransition)])
        const matched = new Map(monitors.map(({ monitor_id }) => [monitor_id, new Set<string>()]))
        for (const { monitor_id, stories } of emitted) matched.get(monitor_id)?.add(stories[0]?.cluster_id ?? '')

        for (const { monitor_id, conditions: its } of monitors) {
          const preview = await monitorPreview(store, { namespace, conditions: its, from: at(-1), as_of: at(24) })
          const shown = preview.stories.map(({ cluster_id }) => cluster_id)
          // a match stays one when the story changes afterwards
          expect([...(matched.get(monitor_id) ?? [])], `${monitor_id} ${JSON.stringify(its)}`).toEqual(
            expect.arrayContaining(shown),
          )
          if (isMonotonic(its)) expect(shown.toSorted()).toEqual([...(matched.get(monitor_id) ?? [])].sort())
        }
      },
    ),
    { numRuns: sized(12), endOnFailure: true },
  )
})
