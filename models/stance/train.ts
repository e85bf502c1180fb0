/**
 * Learns `weights.json` from threads of posts and from headlines, and prints what the same learning reaches on threads,
 * events and claims that it has not seen; some three minutes of one core:
 *
 *     nice -n 10 npx tsx models/stance/train.ts RUMOUREVAL EMERGENT FOLDER_OF_THE_MODEL [FOLDER_FOR_VECTORS]
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import {
  headlineRow,
  headlineVectorRow,
  replyRow,
  replyVectorRow,
  styleRow,
} from '../../src/language/stance/features.ts'
import {
  type Chances,
  headlineChances,
  headlineShare,
  replyChances,
  type Head,
  type StanceLayer,
  type StanceWeights,
  STANCES,
} from '../../src/language/stance/stance.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { stanceVectors } from '../../src/quality/stance.ts'
import { openEncoder } from '../sentiment/encoder.ts'
import { calibrated, calibratedHead, calibrationFor, answerOf, costsFor, type CostsGuess, scored } from './calibrate.ts'
import { foldOf, judged, type JudgedPost } from './corpus.ts'
import { fit, type StanceSample } from './fit.ts'

const [threads = '', headlines = '', model = '', cache = tmpdir()] = process.argv.slice(2)
const HEADLINE_LABELS = ['for', 'against', 'observing']
const FOLDS = 5
/** Of small numbers more is expected: a vector's 384 are each about .05. */
const VECTOR_SCALE = 4
const PENALTY = { cues: 10, vector: 20, style: 1 }

const encoder = await openEncoder(model)
const vectors = stanceVectors(encoder, cache)
const posts = await judged(threads, { vectors, labels: STANCES })
const titles = await judged(headlines, { vectors, labels: HEADLINE_LABELS })
await encoder.close()

type StanceRow = (shown: JudgedPost['shown'][number]) => ArrayLike<number>

/** Rare classes weigh more, by the square root of what they lack; a text that is shown twice weighs half each time. */
function samples(learning: readonly JudgedPost[], row: StanceRow, classes: number): StanceSample[] {
  const counts = Array.from({ length: classes }, (_, k) => learning.filter(({ label }) => label === k).length)
  return learning.flatMap(({ label, shown }) =>
    shown.map((one) => ({
      row: row(one),
      label,
      weight: Math.sqrt(learning.length / classes / Math.max(1, counts[label] ?? 0)) / shown.length,
    })),
  )
}

function head(learning: readonly JudgedPost[], rows: { cues: StanceRow; vector: StanceRow }, classes: number): Head {
  const cues = fit(samples(learning, rows.cues, classes), { classes, penalty: PENALTY.cues, scale: 1 })
  const vector = fit(samples(learning, rows.vector, classes), {
    classes,
    penalty: PENALTY.vector,
    scale: VECTOR_SCALE,
  })
  return { cues, vector, costs: new Array<number>(classes).fill(0) }
}

const replyHead = (learning: readonly JudgedPost[]): Head =>
  head(learning, { cues: replyRow, vector: replyVectorRow }, STANCES.length)

const headlineHead = (learning: readonly JudgedPost[]): Head =>
  head(
    learning,
    {
      cues: ({ post, claim }) => headlineRow(post, claim ?? post),
      vector: ({ post, claim }) => headlineVectorRow(post, claim ?? post),
    },
    HEADLINE_LABELS.length,
  )

interface HeldOut {
  readonly learn: (learning: readonly JudgedPost[]) => Head
  readonly ask: (head: Head, one: JudgedPost) => CostsGuess
  readonly fold: (one: JudgedPost) => number
}

const onlyReply = (reply: Head): StanceWeights => ({ reply }) as StanceWeights
const onlyHeadline = (headline: Head): StanceWeights => ({ headline }) as StanceWeights
const logsOf = ({ plain }: Chances): number[] => plain.map((chance) => Math.log(Math.max(chance, 1e-9)))

/** Each fold as guessed by what the others taught. */
function guesses(all: readonly JudgedPost[], { learn, ask, fold }: HeldOut): CostsGuess[] {
  const of = new Map<number, Head>()
  return all.map((one) => {
    const known = of.get(fold(one)) ?? learn(all.filter((other) => fold(other) !== fold(one)))
    of.set(fold(one), known)
    return ask(known, one)
  })
}

/** Calibration and costs of a fold are those that suit the others. */
function printReport(what: string, names: readonly string[], { all, guessed, fold }: ClassReport): void {
  const folds = all.map(fold)
  const suited = new Map(
    [...new Set(folds)].map((one) => {
      const others = guessed.filter((_, i) => folds[i] !== one)
      const calibration = calibrationFor(others, names.length)
      const costs = costsFor(
        others.map((guess) => calibrated(guess, calibration)),
        names.length,
      )
      return [one, { calibration, costs }]
    }),
  )
  const predicted = guessed.map((guess, i) => {
    const { calibration, costs } = suited.get(folds[i] ?? -1) ?? never()
    const known = calibrated(guess, calibration)
    return { guess: known, answer: answerOf(known, costs) }
  })
  console.log(
    `${what}: ${scored(
      names,
      predicted.map(({ guess, answer }) => [guess.label, answer]),
    )}`,
  )
  console.log(`  expected calibration error ${calibrationError(predicted.map(({ guess }) => guess)).toFixed(3)}`)
}

interface ClassReport {
  readonly all: readonly JudgedPost[]
  readonly guessed: readonly CostsGuess[]
  readonly fold: (one: JudgedPost) => number
}

/** How far the likeliest class's chance is from how often it is right, over ten equal steps of that chance. */
function calibrationError(guessed: readonly CostsGuess[]): number {
  const steps = Array.from({ length: 10 }, () => ({ chance: 0, right: 0 }))
  for (const { logs, label } of guessed) {
    const chance = Math.exp(Math.max(...logs))
    const step = steps[Math.min(9, Math.floor(chance * 10))]
    if (step === undefined) continue
    step.chance += chance
    step.right += logs.indexOf(Math.max(...logs)) === label ? 1 : 0
  }
  return steps.reduce((sum, { chance, right }) => sum + Math.abs(chance - right), 0) / guessed.length
}

function never(): never {
  throw new Error('A guess belongs to nothing')
}

const inputs =
  (form: number) =>
  (reply: Head, { shown, label }: JudgedPost): CostsGuess => ({
    logs: logsOf(replyChances(onlyReply(reply), shown[form] ?? never())),
    label,
  })
const byThread = ({ group }: JudgedPost): number => foldOf(group, FOLDS)
const byEvent = ({ event }: JudgedPost): number => event

const inThreads = guesses(posts, { learn: replyHead, ask: inputs(0), fold: byThread })
printReport('RumourEval, other threads', STANCES, { all: posts, guessed: inThreads, fold: byThread })
const inEvents = guesses(posts, { learn: replyHead, ask: inputs(0), fold: byEvent })
printReport('RumourEval, other events', STANCES, { all: posts, guessed: inEvents, fold: byEvent })
const bare = guesses(posts, { learn: replyHead, ask: inputs(1), fold: byEvent })
printReport('RumourEval, other events, without names of those addressed', STANCES, {
  all: posts,
  guessed: bare,
  fold: byEvent,
})
const answers = posts.flatMap((one, i) => (one.shown[0]?.parent == null ? [] : [i]))
printReport('RumourEval, other events, replies alone', STANCES, {
  all: answers.map((i) => posts[i] ?? never()),
  guessed: answers.map((i) => inEvents[i] ?? never()),
  fold: byEvent,
})

const headlineGuess = (headline: Head, { shown: [one], label }: JudgedPost): CostsGuess => {
  const [support = 0, deny = 0, , comment = 0] = logsOf(
    headlineChances(onlyHeadline(headline), one?.post ?? never(), one?.claim ?? never()),
  )
  return { logs: [support, deny, comment], label }
}
const inClaims = guesses(titles, { learn: headlineHead, ask: headlineGuess, fold: byThread })
printReport('Emergent, other claims', HEADLINE_LABELS, { all: titles, guessed: inClaims, fold: byThread })

/** Threads begin with headlines, too: only answers teach how somebody speaks. */
const spoken = answers.flatMap((i) => posts[i] ?? [])
const style = fit(
  [spoken, titles].flatMap((all, label) =>
    all.flatMap(({ shown }) =>
      shown.map(({ post }) => ({ row: styleRow(post), label, weight: 1_000 / all.length / shown.length })),
    ),
  ),
  { classes: 2, penalty: PENALTY.style, scale: 1 },
)
const share = (all: readonly JudgedPost[]): string => {
  const shares = all.map(({ shown }) => headlineShare({ style } as StanceWeights, shown[0]?.post ?? never()))
  return (shares.filter((value) => value >= 0.5).length / shares.length).toFixed(3)
}
console.log(`put like headlines: ${share(titles)} of headlines, ${share(spoken)} of answers`)

const rounded = ({ bias, weights }: StanceLayer): StanceLayer => ({
  bias: bias.map(short),
  weights: weights.map((row) => row.map(short)),
})
const short = (value: number): number => Number(value.toPrecision(5))
function whole(learned: Head, guessed: readonly CostsGuess[], classes: number): Head {
  const calibration = calibrationFor(guessed, classes)
  const { cues, vector } = calibratedHead(learned, calibration)
  const costs = costsFor(
    guessed.map((guess) => calibrated(guess, calibration)),
    classes,
  )
  return { cues: rounded(cues), vector: rounded(vector), costs: costs.map(short) }
}
const file: StanceWeights = {
  encoder: encoder.model,
  learned: [...new Set([...posts, ...titles].map(({ group }) => group))],
  reply: whole(replyHead(posts), inThreads, STANCES.length),
  headline: whole(headlineHead(titles), inClaims, HEADLINE_LABELS.length),
  style: rounded(style),
}
const json = `${JSON.stringify(file)}\n`
writeFileSync(projectPath('models/stance/weights.json'), json)
console.log(`${json.length} bytes; costs ${file.reply.costs.join(', ')} and ${file.headline.costs.join(', ')}`)
