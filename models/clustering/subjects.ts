import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { connect } from '../../src/cli/connect.ts'
import { storyEncoder } from '../../src/cli/quality-measures.ts'
import { clusteredParts } from '../../src/cli/stage-parts.ts'
import { loadConfig } from '../../src/config.ts'
import type { ArticleAnalyzed } from '../../src/events/articles.ts'
import { projectPath } from '../../src/project-path.ts'
import { jsonLines } from '../../src/quality/labelled-file.ts'
import { analyzed, labelledArticles } from '../../src/quality/stories.ts'
import { storyReplay } from '../../src/quality/story-replay.ts'
import { clustered } from '../../src/stages/clustered/stage.ts'

/**
 * Subject pages against the subjects of `labels/weeks.jsonl`, for each threshold given:
 *
 *     nice -n 10 npx tsx models/clustering/subjects.ts ARTICLES.jsonl.gz -1.5 -1.75
 *
 * Precision: of the pairs of a week that are on one page, those of one subject. Recall: of the pairs of one subject that
 * has five articles of three events, those on one page. Of every four weeks the first is learned from, the second measures.
 */
const [file, ...thresholds] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: subjects.ts ARTICLES.jsonl.gz THRESHOLD ...')

const Label = z.object({
  id: z.string(),
  week: z.string(),
  event: z.string().nullable(),
  subject: z.string().nullable(),
})
type Label = z.infer<typeof Label>

const labels = jsonLines(readFileSync(projectPath('models/clustering/labels/weeks.jsonl'), 'utf8'), Label)
const weeks = [...new Set(labels.map(({ week }) => week))].sort()
const halves = { learn: weeks.filter((_, i) => i % 4 === 0), measure: weeks.filter((_, i) => i % 4 === 1) }
const chosen = new Set(labels.filter(({ week }) => Object.values(halves).flat().includes(week)).map(({ id }) => id))

const wiring = connect(loadConfig(process.env), process.env)
const encoder = await storyEncoder(wiring)
const arrival = wiring.clock.now()
const namespace = 'quality'
const articles = (await labelledArticles(file)).filter(({ id }) => chosen.has(id))
const events: ArticleAnalyzed[] = []
for (const article of articles) events.push(await analyzed(article, { encoder, arrival, namespace }))
encoder.save()
const parts = clusteredParts(wiring)
await wiring.close()

for (const threshold of thresholds.map(Number)) {
  const pageOf = pagesAt(threshold)
  for (const [half, own] of Object.entries(halves)) {
    const { precision, recall } = score(own, pageOf)
    console.log(`${threshold} ${half}: precision ${precision.toFixed(3)} recall ${recall.toFixed(3)}`)
  }
}

/** Page of each labelled article. */
function pagesAt(threshold: number): ReadonlyMap<string, string> {
  const subject = { ...parts.weights.subject, threshold }
  const replay = storyReplay(clustered({ ...parts, weights: { ...parts.weights, subject } }), { namespace, arrival })
  for (const event of events) replay.article(event)
  replay.end()
  const pages = new Map<string, string>()
  for (const { article_id, subject_id, change } of replay.events) {
    if (subject_id !== null) pages.set(article_id, subject_id)
    for (const listed of change?.subjects ?? []) for (const id of listed.article_ids) pages.set(id, listed.subject_id)
  }
  return new Map(
    articles.flatMap(({ id }, i) => {
      const page = pages.get(events[i]?.article_id ?? '')
      return page === undefined ? [] : [[id, page] as const]
    }),
  )
}

function score(own: readonly string[], pageOf: ReadonlyMap<string, string>) {
  const count = { listed: 0, right: 0, large: 0, found: 0 }
  for (const week of own) {
    const some = labels.filter((label) => label.week === week)
    const large = largeSubjects(some)
    for (const [i, a] of some.entries()) {
      for (const b of some.slice(0, i)) {
        const isListed = pageOf.has(a.id) && pageOf.get(a.id) === pageOf.get(b.id)
        const isOne = a.subject !== null && a.subject === b.subject
        const isLarge = isOne && large.has(a.subject ?? '')
        count.listed += Number(isListed)
        count.right += Number(isListed && isOne)
        count.large += Number(isLarge)
        count.found += Number(isListed && isLarge)
      }
    }
  }
  return { precision: count.right / count.listed, recall: count.found / count.large }
}

function largeSubjects(some: readonly Label[]): ReadonlySet<string> {
  const { min_articles, min_stories } = parts.weights.subject
  const subjects = new Set(some.flatMap(({ subject }) => subject ?? []))
  return new Set(
    [...subjects].filter((subject) => {
      const own = some.filter((label) => label.subject === subject)
      return own.length >= min_articles && new Set(own.map(({ id, event }) => event ?? id)).size >= min_stories
    }),
  )
}
