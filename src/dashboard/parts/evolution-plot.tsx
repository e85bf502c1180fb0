import { useGet } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { count, momentOf } from '../words/format.ts'
import { Plot } from './plot.tsx'
import { Shown, Table } from './states.tsx'
import type { ApiSchemas } from '../words/schemas.ts'

const DAY_MS = 86_400_000
const FEW_DAYS = 4

interface EvolutionProperties {
  readonly story: Pick<ApiSchemas['ClusterDetail'], 'id' | 'created_at' | 'updated_at' | 'article_count'>
}

/** The growth of the story, by hour, or by day if it spans more than a few days. */
export function EvolutionPlot({ story: { id, created_at, updated_at, article_count } }: EvolutionProperties) {
  const days = (Date.parse(updated_at) - Date.parse(created_at)) / DAY_MS
  const query = { cluster_id: id, resolution: days > FEW_DAYS ? '1d' : '1h', as_of: asOf() }
  const reply = useGet('/v1/clusters/{cluster_id}/evolution', query, { turn: article_count })
  return (
    <section>
      <h2>Growth</h2>
      <Shown reply={reply} what="the growth">
        {(evolution) => <Growth {...evolution} />}
      </Shown>
    </section>
  )
}

function Growth({ points, resolution }: ApiSchemas['Evolution']) {
  const [first] = points
  if (first === undefined || points.length === 1) {
    return <p class="quiet">All articles arrived within {resolution === '1h' ? 'one hour' : 'one day'}.</p>
  }
  return (
    <>
      <Plot
        label="Articles and independent sources over time. The table below shows the same data"
        times={points.map(({ time }) => Date.parse(time) / 1_000)}
        lines={[
          { label: 'New', values: points.map((one) => one.articles_added), colour: '--soft', shape: 'bars' },
          { label: 'Articles', values: points.map((one) => one.article_count), colour: '--blue', shape: 'line' },
          { label: 'Independent', values: points.map((one) => one.origin_count), colour: '--gold', shape: 'line' },
        ]}
      />
      <details>
        <summary>Show as table</summary>
        <Table
          label="Growth, as a table"
          columns={['From', 'New', 'Articles', 'Independent']}
          rows={points
            .filter(({ articles_added }) => articles_added > 0)
            .map((point) => [
              momentOf(point.time),
              count(point.articles_added),
              count(point.article_count),
              count(point.origin_count),
            ])}
        />
      </details>
    </>
  )
}
