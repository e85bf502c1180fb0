import type { components } from '../../../sdk/src/index.ts'
import { counted, decimal, percent } from './format.ts'

export type MembershipReason = components['schemas']['MembershipReason']

/** A recorded decision in plain words. */
export interface Explanation {
  readonly sentence: string
  /** With what it was compared. */
  readonly compared: string
  /** What spoke for and against it. */
  readonly evidence: readonly ExplainEvidence[]
  /** How far the score was from the one that is needed; null: no score decided. */
  readonly margin: Margin | null
}

export interface ExplainEvidence {
  readonly label: string
  readonly text: string
  /** 0 to 1, for a bar; null: it is no share. */
  readonly share: number | null
}

export interface Margin {
  /** Null: it fitted no story and opened its own. */
  readonly score: number | null
  readonly threshold: number
  readonly runnerUp: number | null
}

/** Why an article is in a story, from the recorded decision. */
export function explain(why: MembershipReason): Explanation {
  const features = why.chosen?.features ?? why.runner_up?.features ?? {}
  return { sentence: sentenceOf(why), compared: comparedIn(why), evidence: evidenceOf(features), margin: marginOf(why) }
}

const comparedIn = ({ chosen }: MembershipReason): string =>
  chosen === null ? 'How alike it is to that other story' : 'How alike it is to the articles of this story'

function sentenceOf(why: MembershipReason): string {
  const { rule, action, chosen } = why
  if (rule === 'curator') return 'A curator put it here.'
  if (rule === 'reprocessed') return 'A newer version of the clusterer put it here.'
  if (rule === 'copy') return copySentence(why)
  if (action === 'opened' || chosen === null) return openedSentence(why)
  if (rule === 'linkage') return linkageSentence(why)
  return joinedSentence(why, chosen)
}

function copySentence({ chosen }: MembershipReason): string {
  const share = chosen?.features['containment']
  return share === undefined
    ? 'Its text is that of an article that is in this story.'
    : `${percent(Math.min(share, 1))} of its text stands in an article that is in this story.`
}

function openedSentence({ runner_up, threshold }: MembershipReason): string {
  if (runner_up === null) return 'It is the first of this story: no other story was near it.'
  return `It is the first of this story. The nearest other story reached ${decimal(runner_up.score)}, where more than ${decimal(threshold)} was needed.`
}

function joinedSentence(
  { action, runner_up, threshold }: MembershipReason,
  chosen: NonNullable<MembershipReason['chosen']>,
): string {
  const { score, features } = chosen
  const size = features['size'] ?? 0
  const who = size === 0 ? 'this story' : size === 1 ? 'the article' : `the ${counted(size, 'article')}`
  const then = size === 0 ? '' : ' that this story had'
  const verb = action === 'revised' ? 'Its new text still fits' : 'It fits'
  const other =
    runner_up === null ? 'No other story was near.' : `The next best story reached ${decimal(runner_up.score)}.`
  return `${verb} ${who}${then}: a score of ${decimal(score)}, where more than ${decimal(threshold)} was needed. ${other}`
}

const MOVES: Readonly<Record<string, string>> = {
  merged: 'Two stories turned out to be one',
  split: 'One story turned out to be two',
  moved: 'It was put here',
}

function linkageSentence({ action, articles, chosen, threshold, rebuild_day }: MembershipReason): string {
  const score =
    chosen === null ? '' : ` The bond is ${decimal(chosen.score)}, where more than ${decimal(threshold)} was needed.`
  const what = MOVES[action] ?? 'It was put here'
  const when =
    rebuild_day === null ? 'a new article was near to both stories' : 'all articles of its days were looked at together'
  return `${what} when ${when}; ${counted(articles, 'article')} moved.${score}`
}

/** Nobody's score decided what a curator or another version said. */
const SAID: ReadonlySet<string> = new Set(['curator', 'reprocessed'])

function marginOf({ chosen, runner_up, threshold, rule }: MembershipReason): Margin | null {
  if (SAID.has(rule)) return null
  if (chosen !== null) return { score: chosen.score, threshold, runnerUp: scoreOf(runner_up) }
  return runner_up === null ? null : { score: null, threshold, runnerUp: runner_up.score }
}

const scoreOf = (candidate: MembershipReason['runner_up']): number | null =>
  candidate === null ? null : candidate.score

type ExplainFeatures = Readonly<Record<string, number>>

/** Means over all pairs with members where they were recorded, else those of the nearest member. */
function evidenceOf(features: ExplainFeatures): readonly ExplainEvidence[] {
  const kind = (features['body.pairs'] ?? 0) > 0 ? 'body' : (features['headline.pairs'] ?? 0) > 0 ? 'headline' : 'best'
  const shares = SHARES.flatMap(([name, label]) => {
    const value = features[`${kind}.${name}`]
    return value === undefined ? [] : [{ label, text: percent(value), share: Math.min(Math.max(value, 0), 1) }]
  })
  return [...shares, ...apartIn(features, kind), ...against(features, kind), ...containmentIn(features)]
}

const SHARES = [
  ['lead_cosine', 'Openings alike'],
  ['title_cosine', 'Headlines alike'],
  ['entity_terms_cosine', 'Names in common'],
  ['body_terms_cosine', 'Telling words in common'],
  ['title_terms_cosine', 'Headline words in common'],
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
    return value > 0 ? [{ label, text: `than ${percent(value)} of them`, share: null }] : []
  })

const containmentIn = ({ containment }: ExplainFeatures): readonly ExplainEvidence[] =>
  containment === undefined
    ? []
    : [{ label: 'Text in common', text: percent(Math.min(containment, 1)), share: Math.min(containment, 1) }]
