import { counted, decimal, percent } from './format.ts'
import type { ApiSchemas } from './schemas.ts'

/** A recorded decision as text. */
export interface Explanation {
  readonly sentence: string
  /** What the evidence compares the article with. */
  readonly compared: string
  /** Evidence for and against the assignment. */
  readonly evidence: readonly ExplainEvidence[]
  /** Score and threshold; `null` if the decision is not based on a score. */
  readonly margin: Margin | null
}

export interface ExplainEvidence {
  readonly label: string
  readonly text: string
  /** 0 to 1, for a bar; `null` if it is not a share. */
  readonly share: number | null
}

export interface Margin {
  /** `null` if it opened its own story. */
  readonly score: number | null
  readonly threshold: number
  readonly runnerUp: number | null
}

/** Why an article is in a story, from the recorded decision. */
export function explain(why: ApiSchemas['MembershipReason']): Explanation {
  const features = why.chosen?.features ?? why.runner_up?.features ?? {}
  return { sentence: sentenceOf(why), compared: comparedIn(why), evidence: evidenceOf(features), margin: marginOf(why) }
}

const comparedIn = ({ chosen }: ApiSchemas['MembershipReason']): string =>
  chosen === null ? 'Similarity to the other story' : 'Similarity to the articles of this story'

function sentenceOf(why: ApiSchemas['MembershipReason']): string {
  const { rule, action, chosen } = why
  if (rule === 'curator') return 'A curator assigned it to this story.'
  if (rule === 'reprocessed') return 'A newer version of the clusterer assigned it to this story.'
  if (rule === 'kept') return 'It was revised long after it came into this story, and stays in it.'
  if (rule === 'copy') return copySentence(why)
  if (action === 'opened' || chosen === null) return openedSentence(why)
  if (rule === 'linkage') return linkageSentence(why)
  return joinedSentence(why, chosen)
}

function copySentence({ chosen }: ApiSchemas['MembershipReason']): string {
  const share = chosen?.features['containment']
  return share === undefined
    ? 'Its text matches an article in this story.'
    : `${percent(Math.min(share, 1))} of its text also appears in an article in this story.`
}

function openedSentence({ runner_up, threshold }: ApiSchemas['MembershipReason']): string {
  if (runner_up === null) return 'It opened this story: no other story was similar.'
  return `It opened this story. The most similar other story scored ${decimal(runner_up.score)}, below the threshold of ${decimal(threshold)}.`
}

function joinedSentence(
  { action, runner_up, threshold }: ApiSchemas['MembershipReason'],
  chosen: NonNullable<ApiSchemas['MembershipReason']['chosen']>,
): string {
  const { score, features } = chosen
  const size = features['size'] ?? 0
  const who = size === 0 ? 'this story' : size === 1 ? 'the article' : `the ${counted(size, 'article')}`
  const then = size === 0 ? '' : ' in this story'
  const verb = action === 'revised' ? 'Its new text still fits' : 'It fits'
  const other =
    runner_up === null ? 'No other story was similar.' : `The runner-up story scored ${decimal(runner_up.score)}.`
  return `${verb} ${who}${then}: score ${decimal(score)}, threshold ${decimal(threshold)}. ${other}`
}

const MOVES: Readonly<Record<string, string>> = {
  merged: 'Two stories were merged',
  split: 'One story was split in two',
  moved: 'It was moved here',
}

function linkageSentence({ action, articles, chosen, threshold, rebuild_day }: ApiSchemas['MembershipReason']): string {
  const score = chosen === null ? '' : ` Linkage score ${decimal(chosen.score)}, threshold ${decimal(threshold)}.`
  const what = MOVES[action] ?? 'It was moved here'
  const when =
    rebuild_day === null
      ? 'a new article was similar to both stories'
      : 'the stories around new articles were evaluated again'
  return `${what} when ${when}; ${counted(articles, 'article')} moved.${score}`
}

/** Rules that do not use a score. */
const RULES_WITHOUT_SCORE: ReadonlySet<string> = new Set(['curator', 'reprocessed'])

function marginOf({ chosen, runner_up, threshold, rule }: ApiSchemas['MembershipReason']): Margin | null {
  if (RULES_WITHOUT_SCORE.has(rule)) return null
  if (chosen !== null) return { score: chosen.score, threshold, runnerUp: scoreOf(runner_up) }
  return runner_up === null ? null : { score: null, threshold, runnerUp: runner_up.score }
}

const scoreOf = (candidate: ApiSchemas['MembershipReason']['runner_up']): number | null =>
  candidate === null ? null : candidate.score

type ExplainFeatures = Readonly<Record<string, number>>

/** Means over all pairs with members if they were recorded, else the values of the most similar member. */
function evidenceOf(features: ExplainFeatures): readonly ExplainEvidence[] {
  const pairsOf = (kind: string): number => features[`${kind}.pairs`] ?? 0
  const most = KINDS.reduce((one, other) => (pairsOf(other) > pairsOf(one) ? other : one))
  const kind = pairsOf(most) > 0 ? most : 'best'
  const shares = SHARES.flatMap(([name, label]) => {
    const value = features[`${kind}.${name}`]
    // across languages, the value of the openings may be that of the headlines
    return value === undefined || (kind === 'cross' && name === 'lead_cosine')
      ? []
      : [{ label, text: percent(value), share: Math.min(Math.max(value, 0), 1) }]
  })
  const languages = kind === 'cross' ? [{ label: 'Languages', text: 'compared across languages', share: null }] : []
  return [...shares, ...languages, ...apartIn(features, kind), ...against(features, kind), ...containmentIn(features)]
}

/** How articles are compared: by their texts, by their headlines alone, or across languages. */
const KINDS = ['body', 'headline', 'cross'] as const

const SHARES = [
  ['lead_cosine', 'Similarity of openings'],
  ['title_cosine', 'Similarity of headlines'],
  ['entity_terms_cosine', 'Shared entities'],
  ['body_terms_cosine', 'Shared key terms'],
  ['title_terms_cosine', 'Shared headline terms'],
] as const

function apartIn(features: ExplainFeatures, kind: string): readonly ExplainEvidence[] {
  const days = features[`${kind}.gap_days`]
  if (days === undefined) return []
  if ((features[`${kind}.undated`] ?? 0) > 0.5) return [{ label: 'Dates', text: 'not given', share: null }]
  const text =
    days < 1 / 24 ? 'within the hour' : days < 1 ? `${decimal(days * 24)} h apart` : `${decimal(days)} days apart`
  return [{ label: 'Dates', text, share: null }]
}

const AGAINST = [
  ['numbers_apart', 'Different numbers'],
  ['weekdays_apart', 'Different weekdays'],
  ['places_apart', 'Different places'],
] as const

const against = (features: ExplainFeatures, kind: string): readonly ExplainEvidence[] =>
  AGAINST.flatMap(([name, label]) => {
    const value = features[`${kind}.${name}`] ?? 0
    return value > 0 ? [{ label, text: `in ${percent(value)} of comparisons`, share: null }] : []
  })

const containmentIn = ({ containment }: ExplainFeatures): readonly ExplainEvidence[] =>
  containment === undefined
    ? []
    : [{ label: 'Shared text', text: percent(Math.min(containment, 1)), share: Math.min(containment, 1) }]
