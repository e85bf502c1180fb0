import type { components } from '../../../sdk/src/index.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { count, dayOf, decimal, percent } from '../words/format.ts'
import { Shown } from './states.tsx'

type MeasuredQuality = components['schemas']['Quality']

/** How good the results are: on labelled sets, and seen in the reader's own stories. */
export function Measured() {
  const as_of = asOf()
  const reply = useAnswer({
    name: `quality ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const query = as_of === undefined ? {} : { as_of }
      return bodyOf(await api.GET('/v1/quality', { params: { query }, signal }))
    },
  })
  return (
    <section>
      <h2>Quality</h2>
      <Shown reply={reply} what="the quality">
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

const Live = ({ live }: Pick<MeasuredQuality, 'live'>) => (
  <dl class="figures">
    {[
      ['stories told in 7 days', count(live.stories)],
      ['articles a day', decimal(live.articles_per_day)],
      ['of two outlets or more', share(live.multi_source_share)],
      ['all from one account', share(live.single_origin_share)],
      ['articles moved a day', decimal(live.id_churn_per_day)],
    ].map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const KINDS: Readonly<Record<string, string>> = {
  ner: 'Names',
  sentiment: 'Tone',
  stories: 'Stories',
  discourse: 'Public voices',
}

/** `Names: conllpp-dev` of `ner/dev/conllpp-dev.bio.gz`. */
function nameOf(file: string): string {
  const parts = file.replace(/(\.(jsonl|bio|tar))?(\.gz)?$/, '').split('/')
  const [kind = ''] = parts
  return `${KINDS[kind] ?? kind}: ${parts.at(-1) ?? ''}`
}

/** The measure that each kind of set is known by. */
const MAIN: ReadonlySet<string> = new Set(['b_cubed_f1', 'span_f1', 'macro_f1'])

const Sets = ({ quality: { measured_at, sets } }: { readonly quality: MeasuredQuality }) => (
  <>
    <h3>
      On labelled sets <small>measured on {dayOf(measured_at)}</small>
    </h3>
    <p class="quiet">
      How far the service agrees with what people said of the same articles: 1 would be in everything.
    </p>
    <Table label="Quality on labelled sets" sets={sets.filter(({ measure }) => MAIN.has(measure))} />
    <details>
      <summary>All {sets.length} figures</summary>
      <Table label="All figures on labelled sets" sets={sets} />
    </details>
  </>
)

const Table = ({ label, sets }: Pick<MeasuredQuality, 'sets'> & { readonly label: string }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          <th scope="col">Set</th>
          <th scope="col">Measure</th>
          <th scope="col">Value</th>
          <th scope="col">Cases</th>
        </tr>
      </thead>
      <tbody>
        {sets.map(({ name, measure, value, n }) => (
          <tr key={`${name} ${measure}`}>
            <td>{nameOf(name)}</td>
            <td>{measure.replaceAll('_', ' ')}</td>
            <td>{decimal(value)}</td>
            <td>{count(n)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
