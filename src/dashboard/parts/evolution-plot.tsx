import type { components } from '../../../sdk/src/index.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { count, momentOf } from '../words/format.ts'
import type { DashboardStory } from '../words/story.ts'
import { Plot } from './plot.tsx'
import { Shown } from './states.tsx'

type PlottedEvolution = components['schemas']['Evolution']

const DAY_MS = 86_400_000
const FEW_DAYS = 4

interface EvolutionProperties {
  readonly story: Pick<DashboardStory, 'id' | 'created_at' | 'updated_at' | 'article_count'>
}

/** How the story grew: by hour where that is not too fine, else by day. */
export function EvolutionPlot({ story: { id, created_at, updated_at, article_count } }: EvolutionProperties) {
  const as_of = asOf()
  const days = (Date.parse(updated_at) - Date.parse(created_at)) / DAY_MS
  const resolution = days > FEW_DAYS ? '1d' : '1h'
  const reply = useAnswer({
    name: `evolution ${id} ${resolution} ${as_of ?? ''}`,
    turn: article_count,
    ask: async (api, signal) => {
      const query = { resolution, ...(as_of === undefined ? {} : { as_of }) } as const
      const params = { path: { cluster_id: id }, query }
      return bodyOf(await api.GET('/v1/clusters/{cluster_id}/evolution', { params, signal }))
    },
  })
  return (
    <section>
      <h2>How it grew</h2>
      <Shown reply={reply} what="how the story grew">
        {(evolution) => <Grown {...evolution} />}
      </Shown>
    </section>
  )
}

function Grown({ points, resolution }: PlottedEvolution) {
  const [first] = points
  if (first === undefined || points.length === 1) {
    return <p class="quiet">All its articles came within {resolution === '1h' ? 'one hour' : 'one day'}.</p>
  }
  return (
    <>
      <Plot
        label="Articles and independent accounts over time; the figures are in the table below"
        times={points.map(({ time }) => Date.parse(time) / 1_000)}
        lines={[
          { label: 'Came', values: points.map((one) => one.articles_added), colour: '--soft', shape: 'bars' },
          { label: 'Articles', values: points.map((one) => one.article_count), colour: '--blue', shape: 'line' },
          { label: 'Independent', values: points.map((one) => one.origin_count), colour: '--gold', shape: 'line' },
        ]}
      />
      <Table points={points} />
    </>
  )
}

const Table = ({ points }: Pick<PlottedEvolution, 'points'>) => (
  <details>
    <summary>As a table</summary>
    <div class="scroll" tabIndex={0} role="region" aria-label="How it grew, as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Came</th>
            <th scope="col">Articles</th>
            <th scope="col">Independent</th>
          </tr>
        </thead>
        <tbody>
          {points
            .filter(({ articles_added }) => articles_added > 0)
            .map((point) => (
              <tr key={point.time}>
                <th scope="row">{momentOf(point.time)}</th>
                <td>{count(point.articles_added)}</td>
                <td>{count(point.article_count)}</td>
                <td>{count(point.origin_count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  </details>
)
