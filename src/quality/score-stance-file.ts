import type { SaidText } from '../language/stance/features.ts'
import type { LearnedStance, Stance } from '../language/stance/stance.ts'
import { textOf } from './labelled-file.ts'
import { macroScore, type MacroScore } from './sentiment-score.ts'
import { stanceFile, type StanceFile, type StanceQuestion } from './stance-file.ts'
import type { StanceVectors } from './stance-vectors.ts'

export interface StanceMeasure {
  /** Judgements counted; null: the file has none. */
  readonly n: number | null
  readonly score: MacroScore
  /** Share of the judgements whose thread or claim the model was learned from, 0 to 1: they flatter it. */
  readonly learned: number
  /** JSONL `{"id","label"}` in the file's order and words. */
  readonly predictions: string
}

/** A headline that asks leaves the claim as open as one that only reports it. */
const OF_HEADLINES: Readonly<Record<Stance, string>> = {
  support: 'for',
  deny: 'against',
  query: 'observing',
  comment: 'observing',
}

const AT_ONCE = 256

/** Macro-F1 of the predicted stances, on a (gzipped) file of RumourEval threads or of Emergent headlines. */
export async function scoreStanceFile(
  { model, vectors }: { readonly model: LearnedStance; readonly vectors: Pick<StanceVectors, 'means'> },
  file: Buffer,
): Promise<StanceMeasure> {
  const { kind, questions } = stanceFile(textOf(file))
  const labels: string[] = []
  for (let from = 0; from < questions.length; from += AT_ONCE)
    labels.push(...(await labelsOf({ model, vectors }, { kind, questions: questions.slice(from, from + AT_ONCE) })))
  const judged = questions.flatMap(({ gold, group }, i) =>
    gold === null ? [] : [{ gold, answer: labels[i] ?? '', known: model.learned.has(group) }],
  )
  return {
    n: judged.length === 0 ? null : judged.length,
    score: macroScore(
      judged.map(({ gold }) => gold),
      judged.map(({ answer }) => answer),
    ),
    learned: judged.filter(({ known }) => known).length / Math.max(1, judged.length),
    predictions: questions.map(({ id }, i) => `${JSON.stringify({ id, label: labels[i] })}\n`).join(''),
  }
}

async function labelsOf(
  { model, vectors }: Parameters<typeof scoreStanceFile>[0],
  { kind, questions }: StanceFile,
): Promise<string[]> {
  const texts = [...new Set(questions.flatMap(textsOf))]
  const made = await vectors.means(texts)
  const said = new Map(texts.map((text, i): [string, SaidText] => [text, { text, vector: vectorAt(made, i) }]))
  const of = (text: string | null): SaidText | null => (text === null ? null : (said.get(text) ?? null))
  return questions.map(({ post, parent, claim }) => {
    const { stance } = model.stanceOf({
      post: of(post) ?? { text: post, vector: new Float32Array() },
      parent: of(parent),
      claim: of(claim),
    })
    return kind === 'headline' ? OF_HEADLINES[stance] : stance
  })
}

const textsOf = ({ post, parent, claim }: StanceQuestion): string[] =>
  [post, parent, claim].filter((text) => text !== null)

function vectorAt(vectors: readonly Float32Array[], i: number): Float32Array {
  const vector = vectors[i]
  if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts')
  return vector
}
