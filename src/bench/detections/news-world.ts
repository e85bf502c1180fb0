import { HOUR_MS } from '../../domain/days.ts'
import { NO_MEMBER, type ArticleClustered } from '../../events/ledger.ts'
import { PLACED_ARTICLE } from '../placed-article.ts'

const BEGINS = Date.UTC(2016, 4, 2)

/** Someone who is in the news: at the same rate all the time, or from an hour on at five times the rate. */
export interface NewsWorldSubject {
  readonly name: string
  readonly mentionsADay: number
  /** Hours from the beginning; null: always the same rate. */
  readonly stepAt: number | null
  readonly spacing: 'even' | 'poisson'
}

interface NewsWorld {
  readonly subjects: readonly NewsWorldSubject[]
  readonly days: number
  /** Mentions that follow each other are put in one article. */
  readonly namesAnArticle: number
  readonly random: () => number
}

const STEP = 5
const OUTLETS = 500

/** Hours from the beginning. */
export const hoursOf = (moment: number): number => (moment - BEGINS) / HOUR_MS

/** The articles of a world as they are published, each a story and a text of its own, by one of 500 outlets. */
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

/** When so much has come, counted in mentions. */
function hourOf({ mentionsADay, stepAt }: NewsWorldSubject, mentions: number): number {
  const hour = (24 * mentions) / mentionsADay
  return stepAt === null || hour <= stepAt ? hour : stepAt + (hour - stepAt) / STEP
}

/** One that names some, at the time of the last of them. */
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
