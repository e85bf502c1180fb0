import { useState } from 'preact/hooks'
import { useGet } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { explain, type ExplainEvidence, type Margin } from '../words/explain.ts'
import { decimal } from '../words/format.ts'
import { Shown } from './states.tsx'

interface WhyProperties {
  readonly story: string
  readonly article: string
  /** Whether the explanation is open at first. */
  readonly isExplained: boolean
}

/** Why an article is in its story: a sentence, and the evidence. */
export function WhyHere({ story, article, isExplained }: WhyProperties) {
  const [isOpen, setOpen] = useState(isExplained)
  if (!isOpen) {
    return (
      <button type="button" class="why-button" onClick={() => setOpen(true)}>
        Why is this included?
      </button>
    )
  }
  return <Answer story={story} article={article} />
}

function Answer({ story, article }: Omit<WhyProperties, 'isExplained'>) {
  const query = { cluster_id: story, article_id: article, as_of: asOf() }
  const reply = useGet('/v1/clusters/{cluster_id}/members/{article_id}/why', query)
  return (
    <div class="why">
      <Shown reply={reply} what="the reason">
        {(why) => {
          const { sentence, compared, evidence, margin } = explain(why)
          return (
            <>
              <p>
                <b>Why included?</b> {sentence}
              </p>
              {margin !== null && <MarginScale {...margin} />}
              {evidence.length > 0 && <EvidenceList label={compared} evidence={evidence} />}
            </>
          )
        }}
      </Shown>
    </div>
  )
}

interface EvidenceProperties {
  readonly label: string
  readonly evidence: readonly ExplainEvidence[]
}

const EvidenceList = ({ label, evidence }: EvidenceProperties) => (
  <>
    <p class="quiet">{label}:</p>
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
  </>
)

const NEAR = 40

/** Score, threshold and runner-up on one scale. Scores right of the threshold are sufficient. */
function MarginScale({ score, threshold, runnerUp }: Margin) {
  const values = [score, threshold, runnerUp].filter((value) => value !== null)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const xOf = (value: number): number => 4 + ((value - low) / Math.max(high - low, 1e-9)) * 84
  // two labels do not fit side by side below the line; the threshold is far away then, so there is room above
  const isNear = score !== null && runnerUp !== null && Math.abs(xOf(score) - xOf(runnerUp)) < NEAR
  const label = score === null ? `Closest other story ${decimal(runnerUp ?? low)}` : `Score ${decimal(score)}`
  return (
    <svg class="margin" role="img" aria-label={`${label}, threshold ${decimal(threshold)}`}>
      <rect x="0" width="100%" y="20" height="6" rx="3" class="repeats" />
      <rect x={`${xOf(threshold)}%`} width={`${100 - xOf(threshold)}%`} y="20" height="6" rx="3" class="enough" />
      <Mark at={xOf(threshold)} kind="needed" text={`threshold ${decimal(threshold)}`} />
      {runnerUp !== null && (
        <Mark at={xOf(runnerUp)} kind="other" text={`another story ${decimal(runnerUp)}`} isAbove={isNear} />
      )}
      {score !== null && <Mark at={xOf(score)} kind="score" text={`this story ${decimal(score)}`} />}
    </svg>
  )
}

interface MarkProperties {
  /** Per cent from the left. */
  readonly at: number
  readonly kind: 'other' | 'needed' | 'score'
  readonly text: string
  readonly isAbove?: boolean
}

const Mark = ({ at, kind, text, isAbove = kind === 'needed' }: MarkProperties) => (
  <>
    {kind === 'needed' ? (
      <line x1={`${at}%`} x2={`${at}%`} y1="15" y2="31" class={kind} />
    ) : (
      <circle cx={`${at}%`} cy="23" r={kind === 'score' ? 5.5 : 4} class={kind} />
    )}
    <text x={`${at}%`} y={isAbove ? 11 : 43} text-anchor={at < 30 ? 'start' : at > 70 ? 'end' : 'middle'}>
      {text}
    </text>
  </>
)
