import fc from 'fast-check'
import { expect, it } from 'vitest'
import { articlesScored } from '../../../src/events/articles.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { storiesTransitioned, type LifecycleState } from '../../../src/events/lifecycle.ts'
import { NO_CONDITIONS, type MonitorConditions } from '../../../src/events/monitors.ts'
import { monitorPreview } from '../../../src/views/monitors/preview.ts'
import { aScoredArticle } from '../../builders/articles.ts'
import { aReport, aTransition, at, liveMatched, type MatchedIn } from '../../builders/matched.ts'
import { aMonitor } from '../../builders/monitors.ts'
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

const every = fc.record({
  query: fc.constantFrom(
    'évry',
    '"central bank"',
    'river -smoke',
    'FLOOD*',
    '選挙',
    'e-mail*',
    '5.5',
    'riv',
    'bank fire',
  ),
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
})

/** Few conditions each, or no story would meet them all. */
const conditions: fc.Arbitrary<MonitorConditions> = fc
  .tuple(every, fc.subarray(Object.keys(NO_CONDITIONS), { minLength: 1, maxLength: 3 }))
  .map(([all, names]) => ({
    ...NO_CONDITIONS,
    ...Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
  }))

type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never

const articleOf = ({ group, title, text, source, language, categories, names, country, sentiment_score }: Step) => ({
  ...{ group, title, text, source, language, categories, names, country, sentiment_score },
})

/** The events of some articles, in the stage's order, and the same in the views of a namespace. */
async function written(namespace: string, steps: readonly Step[]): Promise<readonly MatchedIn[]> {
  const reports = steps.map((step, i) => {
    const [text, placed] = aReport([step.story, `${i}`], i / 10, articleOf(step))
    const facts = { namespace, content_hash: `${i}`.padStart(32, '0') }
    return [
      { ...text, ...facts },
      { ...placed, ...facts },
    ] as const
  })
  const transitions = steps.flatMap(({ story, state }, i) =>
    state === null ? [] : [{ ...aTransition(story, state, 1 + i / 10), namespace }],
  )
  await writer.write(
    articlesScored,
    reports.map(([{ article_id, content_hash, occurred_at, title, text }]) =>
      aScoredArticle({ namespace, article_id, content_hash, occurred_at, title, text }),
    ),
  )
  await writer.write(
    articlesClustered,
    reports.map(([, placed]) => placed),
  )
  await writer.write(storiesTransitioned, transitions)
  return [...reports.flat(), ...transitions]
}

/** Whether a story that matches goes on matching, whatever arrives. */
const isMonotonic = ({ lifecycle_states, min_velocity, max_sentiment }: MonitorConditions): boolean =>
  lifecycle_states.length === 0 && min_velocity === null && max_sentiment === null

it('shows the stories that the stage matches', async () => {
  let matches = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { minLength: 1, maxLength: 8 }),
      fc.array(conditions, { minLength: 12, maxLength: 12 }),
      async (steps, all) => {
        const namespace = aNamespace()
        const monitors = all.map((one, i) => aMonitor({ monitor_id: `mon_${i}`, conditions: one, namespace }))
        const { emitted } = liveMatched([...monitors, ...(await written(namespace, steps))])
        matches += emitted.length
        for (const { monitor_id, conditions: its } of monitors) {
          const matched = emitted.filter((one) => one.monitor_id === monitor_id)
          const ids = matched.flatMap(({ stories }) => stories.map(({ cluster_id }) => cluster_id)).sort()
          const preview = await monitorPreview(store, { namespace, conditions: its, from: at(-1), as_of: at(24) })
          const shown = preview.stories.map(({ cluster_id }) => cluster_id).sort()
          // a story that no longer meets the conditions has matched all the same
          if (isMonotonic(its)) expect(ids, JSON.stringify(its)).toEqual(shown)
          else expect(ids, JSON.stringify(its)).toEqual(expect.arrayContaining(shown))
        }
      },
    ),
    { numRuns: sized(4, 100), endOnFailure: true },
  )
  expect(matches).toBeGreaterThan(10)
})
