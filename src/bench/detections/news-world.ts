import { HOUR_MS } from '../../domain/days.ts'
import { NO_MEMBER, type ArticleClustered } from '../../events/ledger.ts'
import { PLACED_ARTICLE } from '../placed-article.ts'

const BEGINS = Date.UTC(2016, 4, 2)

/** An entity in the news that is mentioned at a constant rate, or at five times that rate from a given hour on. */
export interface NewsWorldSubject {
  readonly name: string
  readonly mentionsADay: number
  /** Hours since the beginning; `null` if the rate is constant. */
  readonly stepAt: number | null
  readonly spacing: 'even' | 'poisson'
}

interface NewsWorld {
  readonly subjects: readonly NewsWorldSubject[]
  readonly days: number
  /** The number of consecutive mentions that are put into one article. */
  readonly namesAnArticle: number
  readonly random: () => number
}

const STEP = 5
const OUTLETS = 500

/** Hours since the beginning. */
export const hoursOf = (moment: number): number => (moment - BEGINS) / HOUR_MS

/** The articles of a world in order of publication. Each is a story and a text of its own, from one of 500 outlets. */
export function* articlesOf({ subjects, days, namesAnArticle, random }: NewsWorld): Generator<ArticleClustered> {
  const wait = ({ spacing }: NewsWorldSubject): number => (spacing === 'even' ? 1 : -Math.log(1 - random()))
  const next = subjects.map((subject) => (subject.spacing === 'even' ? random() : wait(subject)))
  let made = 0
  for (let day = 0; day < days; day++) {
    const mentions: NewsWorldMention[] = []
    for (const [i, subject] of subjects.entries()) {
      for (;;) {
        const hour = hourOf(subject, next[i] ?? Infinity)
        if (hour >= 24 * (day + 1)) break
        mentions.push({ hour, name: subject.name })
        next[i] = (next[i] ?? 0) + wait(subject)
      }
    }
    mentions.sort((a, b) => a.hour - b.hour)
    for (let i = 0; i < mentions.length; i += namesAnArticle) {
      yield article(made++, mentions.slice(i, i + namesAnArticle), random)
    }
  }
}

interface NewsWorldMention {
  readonly hour: number
  readonly name: string
}

/** The hour at which this many mentions have occurred. */
function hourOf({ mentionsADay, stepAt }: NewsWorldSubject, mentions: number): number {
  const hour = (24 * mentions) / mentionsADay
  return stepAt === null || hour <= stepAt ? hour : stepAt + (hour - stepAt) / STEP
}

/** An article with these mentions, at the time of the last one. */
export function article(number: number, mentions: readonly NewsWorldMention[], random: () => number): ArticleClustered {
  const names = new Map<string, number>()
  for (const { name } of mentions) names.set(name, (names.get(name) ?? 0) + 1)
  return {
    ...PLACED_ARTICLE,
    event_id: `evt_${number}`,
    occurred_at: BEGINS + Math.round((mentions.at(-1)?.hour ?? 0) * HOUR_MS),
    cluster_id: `sto_${number}`,
    article_id: `art_${number}`,
    member: {
      ...NO_MEMBER,
      semantic_hash: `text ${number}`,
      publisher: `outlet ${Math.floor(random() * OUTLETS)}`,
      entities: [...names].map(([name, mention_count]) => ({
        ...{ entity_id: name, name, type: 'PERSON', mention_count, country: null },
        sentiment_score: 1.2 * (random() - 0.5),
      })),
    },
  }
}
