import { readFileSync } from 'node:fs'
import { textOf } from './labelled-file.ts'
import { analyzed, labelledArticles } from './stories.ts'
import { storyReplay } from './story-replay.ts'
import { checkLabelled, halvesOf, pagesOf, scoreSubjects, subjectLabels } from './subjects.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { type QualityResult, storyEncoder } from './measures.ts'
import { clusteredParts } from '../wiring/stages.ts'
import type { Wiring } from '../ports/wiring.ts'

interface SubjectFiles {
  readonly articles: string
  /** What readers said of whole weeks. */
  readonly labels: string
  /** Mean link above which stories share a page; that of the model where it does not say. */
  readonly threshold?: number | undefined
}

const namespace = 'quality'

/** Subject pages of the articles of labelled weeks, clustered day by day, against their labels. Throws `BadLine`. */
export async function subjectFigures(
  wiring: Wiring,
  { articles, labels, threshold }: SubjectFiles,
): Promise<QualityResult> {
  const halves = halvesOf(subjectLabels(textOf(readFileSync(labels))))
  const chosen = new Set(Object.values(halves).flatMap((half) => half.map(({ id }) => id)))
  const some = (await labelledArticles(articles)).filter(({ id }) => chosen.has(id))
  checkLabelled(Object.values(halves).flat(), new Set(some.map(({ id }) => id)))

  const parts = clusteredParts(wiring)
  const subject = { ...parts.weights.subject, ...(threshold === undefined ? {} : { threshold }) }
  const [encoder, arrival] = [await storyEncoder(wiring), wiring.clock.now()]
  const stage = clustered({ ...parts, weights: { ...parts.weights, subject } })
  const replay = storyReplay(stage, { namespace, arrival })
  const ids = new Map<string, string>()
  for (const article of some) {
    const event = await analyzed(article, { encoder, arrival, namespace })
    replay.article(event)
    ids.set(article.id, event.article_id)
  }
  replay.end()
  encoder.save()

  const pages = pagesOf(replay.events)
  const pageOf = new Map(
    [...ids].flatMap(([id, article_id]) => {
      const page = pages.get(article_id)
      return page === undefined ? [] : [[id, page] as const]
    }),
  )
  const figures = (['measure', 'learn'] as const).flatMap((half) => {
    const { precision, recall } = scoreSubjects(halves[half], pageOf, subject)
    return [
      { measure: `subject_precision_${half}`, ...precision },
      { measure: `subject_recall_${half}`, ...recall },
    ]
  })
  const lines = some.map(({ id }) => `${JSON.stringify({ id, subject: pageOf.get(id) ?? null })}\n`)
  return { figures, predictions: lines.join('') }
}
