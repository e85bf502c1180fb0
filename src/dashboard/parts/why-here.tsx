import { useState } from 'preact/hooks'
import { useAnswer } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { explain, type Evidence, type Margin } from '../words/explain.ts'
import { decimal } from '../words/format.ts'
import { Shown } from './states.tsx'

interface WhyProperties {
  readonly story: string
  readonly article: string
  /** Without being asked by the reader. */
  readonly isAsked: boolean
}

/** Why an article is in its story: a sentence, and what it rests on. */
export function WhyHere({ story, article, isAsked }: WhyProperties) {
  const [wanted, want] = useState(isAsked)
  if (!wanted) {
    return (
      <button type="button" class="why-button" onClick={() => want(true)}>
        Why is it here?
      </button>
    )
  }
  return <Answer story={story} article={article} />
}

function Answer({ story, article }: Omit<WhyProperties, 'isAsked'>) {
  const as_of = asOf()
  const reply = useAnswer({
    name: `why ${story} ${article} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const params = { path: { cluster_id: story, article_id: article }, query: as_of === undefined ? {} : { as_of } }
      return bodyOf(await api.GET('/v1/clusters/{cluster_id}/members/{article_id}/why', { params, signal }))
    },
  })
  return (
    <div class="why">
      <Shown reply={reply} what="the reason">
        {(why) => {
          const { sentence, evidence, margin } = explain(why)
          return (
            <>
              <p>
                <b>Why here?</b> {sentence}
              </p>
              {margin !== null && <MarginScale {...margin} />}
              {evidence.length > 0 && <EvidenceList evidence={evidence} />}
            </>
          )
        }}
      </Shown>
    </div>
  )
}

const EvidenceList = ({ evidence }: { readonly evidence: readonly Evidence[] }) => (
  <dl class="evidence">
    {evidence.map(({ label, text, share }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          {share !== null && (
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="6" class="repeats" />
              <rect width={share * 100} height="6" class="own" />
            </svg>
          )}
          {text}
        </dd>
      </div>
    ))}
  </dl>
)

/** The score, the one that was needed and that of the next best story on one scale. */
function MarginScale({ score, threshold, runnerUp }: Margin) {
  const values = runnerUp === null ? [score, threshold] : [score, threshold, runnerUp]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const place = (value: number): string => `${8 + ((value - low) / Math.max(high - low, 1e-9)) * 84}%`
  return (
    <svg class="margin" role="img" aria-label={`Score ${decimal(score)}, needed ${decimal(threshold)}`}>
      <line x1="0" x2="100%" y1="23" y2="23" class="rule" />
      {runnerUp !== null && <Mark at={place(runnerUp)} kind="other" text={`next best ${decimal(runnerUp)}`} />}
      <Mark at={place(threshold)} kind="needed" text={`needed ${decimal(threshold)}`} />
      <Mark at={place(score)} kind="score" text={`score ${decimal(score)}`} />
    </svg>
  )
}

interface MarkProperties {
  readonly at: string
  readonly kind: 'other' | 'needed' | 'score'
  readonly text: string
}

const Mark = ({ at, kind, text }: MarkProperties) => (
  <>
    {kind === 'needed' ? (
      <line x1={at} x2={at} y1="16" y2="30" class={kind} />
    ) : (
      <circle cx={at} cy="23" r={kind === 'score' ? 5 : 3.5} class={kind} />
    )}
    <text x={at} y={kind === 'needed' ? 11 : 42}>
      {text}
    </text>
  </>
)
