import { readFileSync } from 'node:fs'
import { type Conversation, hear } from '../../src/language/stance/features.ts'
import type { CuedText } from '../../src/language/stance/cues.ts'
import { textOf } from '../../src/quality/labelled-file.ts'
import { stanceFile, type StanceQuestion, type StanceVectors } from '../../src/quality/stance.ts'

/** A judged post, as it stands and as it would stand on a platform that does not write the recipient of an answer into it. */
export interface JudgedPost {
  readonly label: number
  readonly group: string
  /** Its event: those of one group of threads that follow each other. */
  readonly event: number
  readonly shown: readonly Conversation[]
}

const EVENT_GAP = 5 * 86_400
const ADDRESSED = /^(?:[.\s]*@\w+)+[\s:,-]*/u

const unaddressed = (text: string): string => text.replace(ADDRESSED, '')

export async function judged(
  path: string,
  { vectors, labels }: { readonly vectors: StanceVectors; readonly labels: readonly string[] },
): Promise<JudgedPost[]> {
  const { kind, questions } = stanceFile(textOf(readFileSync(path)))
  const forms = kind === 'thread' ? [(text: string) => text, unaddressed] : [(text: string) => text]
  const given = questions.flatMap(({ post, parent, claim }) => [post, parent, claim].filter((text) => text !== null))
  const texts = [...new Set(forms.flatMap((form) => given.map(form)))]
  const made = await vectors.means(texts)
  vectors.save()
  const heard = new Map(texts.map((text, i) => [text, hear({ text, vector: made[i] ?? new Float32Array() })]))
  const of = (text: string): CuedText => heard.get(text) ?? hear({ text, vector: new Float32Array() })
  const events = eventsOf(questions)
  return questions.flatMap(({ gold, group, ...question }) =>
    gold === null
      ? []
      : [
          {
            label: labels.indexOf(gold),
            group,
            event: events.get(group) ?? 0,
            shown: forms.map((form) => shown(question, (text) => of(form(text)))),
          },
        ],
  )
}

const shown = (
  { post, parent, claim }: Pick<StanceQuestion, 'post' | 'parent' | 'claim'>,
  of: (text: string) => CuedText,
): Conversation => ({
  post: of(post),
  parent: parent === null ? null : of(parent),
  claim: claim === null ? null : of(claim),
})

/** Threads in order of time; a new event begins after five days without one. */
function eventsOf(questions: readonly StanceQuestion[]): Map<string, number> {
  const times = new Map(questions.map(({ group, time }) => [group, time ?? 0]))
  let event = 0
  let before = -Infinity
  return new Map(
    [...times]
      .sort(([, a], [, b]) => a - b)
      .map(([group, time]) => {
        if (time - before > EVENT_GAP) event++
        before = time
        return [group, event]
      }),
  )
}

/** Groups dealt out over so many folds, by a hash of their name: the same on every machine. */
export const foldOf = (group: string, folds: number): number =>
  (Array.from(group).reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  ) >>>
    8) %
  folds
