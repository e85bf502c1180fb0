import { useGet } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { count, dayOf, decimal, percent } from '../words/format.ts'
import { Shown, Table } from './states.tsx'
import type { ApiSchemas } from '../words/schemas.ts'

/** Quality of the results: on labelled data sets, and observed in the stories of this namespace. */
export function Measured() {
  const reply = useGet('/v1/quality', { as_of: asOf() })
  return (
    <section>
      <h2>Quality</h2>
      <Shown reply={reply} what="quality">
        {(quality) => (
          <>
            <h3>In your stories</h3>
            <Live live={quality.live} />
            <Sets quality={quality} />
          </>
        )}
      </Shown>
    </section>
  )
}

const share = (value: number | null): string => (value === null ? '–' : percent(value))

const Live = ({ live }: Pick<ApiSchemas['Quality'], 'live'>) => (
  <dl class="figures">
    {[
      ['stories active in 7 days', count(live.stories)],
      ['articles per day', decimal(live.articles_per_day)],
      ['with two or more outlets', share(live.multi_source_share)],
      ['with a single source', share(live.single_origin_share)],
      ['articles moved per day', decimal(live.id_churn_per_day)],
    ].map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const KINDS: Readonly<Record<string, string>> = {
  ner: 'Entities',
  sentiment: 'Sentiment',
  stories: 'Stories',
  discourse: 'Public posts',
}

/** `Entities: conllpp-dev` of `ner/dev/conllpp-dev.bio.gz`. */
function nameOf(file: string): string {
  const parts = file.replace(/(\.(jsonl|bio|tar))?(\.gz)?$/, '').split('/')
  const [kind = ''] = parts
  return `${KINDS[kind] ?? kind}: ${parts.at(-1) ?? ''}`
}

/** The main measure of each kind of data set. */
const MAIN: ReadonlySet<string> = new Set(['b_cubed_f1', 'span_f1', 'macro_f1'])

const Sets = ({ quality: { measured_at, sets } }: { readonly quality: ApiSchemas['Quality'] }) => (
  <>
    <h3>
      On labelled data sets <small>measured on {dayOf(measured_at)}</small>
    </h3>
    <p class="quiet">Agreement with human labels of the same articles; 1 is full agreement.</p>
    <Measures label="Quality on labelled data sets" sets={sets.filter(({ measure }) => MAIN.has(measure))} />
    <details>
      <summary>All {sets.length} measures</summary>
      <Measures label="All measures on labelled data sets" sets={sets} />
    </details>
  </>
)

const Measures = ({ label, sets }: Pick<ApiSchemas['Quality'], 'sets'> & { readonly label: string }) => (
  <Table
    label={label}
    columns={['Data set', 'Measure', 'Value', 'Cases']}
    rows={sets.map(({ name, measure, value, n }) => [
      nameOf(name),
      measure.replaceAll('_', ' '),
      decimal(value),
      count(n),
    ])}
  />
)
