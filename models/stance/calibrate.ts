import type { Head, StanceLayer } from '../../src/language/stance/stance.ts'
import { macroScore } from '../../src/quality/macro-score.ts'

/** What was guessed of one thing that was not learned from: logarithms of chances, a class each. */
export interface CostsGuess {
  readonly logs: readonly number[]
  readonly label: number
}

const REACH = 25
const STEP = 0.1
const COST_ROUNDS = 3
/** Neighbours that have a say, so that no single lucky value is taken. */
const SMOOTH = 2

/** What is added to each class's logarithm so that macro-F1 is largest: one class after the other, a few times over. */
export function costsFor(guesses: readonly CostsGuess[], classes: number): number[] {
  const costs = new Array<number>(classes).fill(0)
  const values = Array.from({ length: 2 * REACH + 1 }, (_, i) => (i - REACH) * STEP)
  for (let round = 0; round < COST_ROUNDS; round++) {
    for (let k = 0; k < classes; k++) {
      const scores = values.map((value) => macroF1(guesses, costs.with(k, value)))
      const smooth = scores.map((_, i) => {
        const near = scores.slice(Math.max(0, i - SMOOTH), i + SMOOTH + 1)
        return near.reduce((sum, one) => sum + one, 0) / near.length
      })
      costs[k] = values[smooth.indexOf(Math.max(...smooth))] ?? 0
    }
    const mean = costs.reduce((sum, cost) => sum + cost, 0) / classes
    costs.forEach((cost, k) => (costs[k] = cost - mean))
  }
  return costs
}

export function answerOf({ logs }: CostsGuess, costs: readonly number[]): number {
  const sums = logs.map((log, k) => log + (costs[k] ?? 0))
  return sums.indexOf(Math.max(...sums))
}

function macroF1(guesses: readonly CostsGuess[], costs: readonly number[]): number {
  const right = costs.map(() => 0)
  const predicted = costs.map(() => 0)
  const are = costs.map(() => 0)
  for (const guess of guesses) {
    const answer = answerOf(guess, costs)
    predicted[answer] = (predicted[answer] ?? 0) + 1
    are[guess.label] = (are[guess.label] ?? 0) + 1
    if (answer === guess.label) right[answer] = (right[answer] ?? 0) + 1
  }
  return (
    right.reduce((sum, is, k) => sum + (2 * is) / Math.max(1, (predicted[k] ?? 0) + (are[k] ?? 0)), 0) / costs.length
  )
}

/** Macro-F1, accuracy, and precision and recall of each class, in one line. */
export function scored(names: readonly string[], pairs: readonly (readonly [gold: number, answer: number])[]): string {
  const name = (k: number) => names[k] ?? ''
  const { f1, accuracy, classes } = macroScore(
    pairs.map(([gold]) => name(gold)),
    pairs.map(([, answer]) => name(answer)),
  )
  const each = names.map((label, k) => {
    const right = pairs.filter(([gold, answer]) => gold === k && answer === k).length
    const predicted = pairs.filter(([, answer]) => answer === k).length
    const are = pairs.filter(([gold]) => gold === k).length
    return `${label} F1 ${(classes[label] ?? 0).toFixed(3)} (precision ${(right / predicted).toFixed(2)}, recall ${(right / are).toFixed(2)})`
  })
  return `macro-F1 ${f1.toFixed(4)}, accuracy ${accuracy.toFixed(3)}; ${each.join(', ')}`
}

/** Logarithms of chances times `heat`, and `shift` added to each class. */
export interface StanceCalibration {
  readonly heat: number
  readonly shift: readonly number[]
}

const HEATS = Array.from({ length: 13 }, (_, i) => 0.6 + i * 0.2)
const ROUNDS = 30

/** The one by which the labels are likeliest: for each heat, shifts such that each class is expected as often as it is. */
export function calibrationFor(guesses: readonly CostsGuess[], classes: number): StanceCalibration {
  const shares = Array.from({ length: classes }, (_, k) => shareOf(guesses, k))
  const tried = HEATS.map((heat) => {
    let calibration: StanceCalibration = { heat, shift: shares.map(() => 0) }
    for (let round = 0; round < ROUNDS; round++) {
      const expected = shares.map(() => 0)
      for (const guess of guesses)
        calibrated(guess, calibration).logs.forEach((log, k) => (expected[k] = (expected[k] ?? 0) + Math.exp(log)))
      const shift = calibration.shift.map(
        (value, k) => value + Math.log((shares[k] ?? 0) / ((expected[k] ?? 0) / guesses.length)),
      )
      calibration = { heat, shift }
    }
    const loss = guesses.reduce((sum, guess) => sum - (calibrated(guess, calibration).logs[guess.label] ?? 0), 0)
    return { calibration, loss }
  })
  return tried.reduce((best, one) => (one.loss < best.loss ? one : best)).calibration
}

const shareOf = (guesses: readonly CostsGuess[], k: number): number =>
  guesses.filter(({ label }) => label === k).length / guesses.length

export function calibrated({ logs, label }: CostsGuess, { heat, shift }: StanceCalibration): CostsGuess {
  const sums = logs.map((log, k) => heat * log + (shift[k] ?? 0))
  const most = Math.max(...sums)
  const total = Math.log(sums.reduce((sum, value) => sum + Math.exp(value - most), 0)) + most
  return { logs: sums.map((sum) => sum - total), label }
}

/** The same in a head's own numbers: what is added to both layers is added to their mean. */
export const calibratedHead = ({ cues, vector, costs }: Head, { heat, shift }: StanceCalibration): Head => {
  const layer = ({ bias, weights }: StanceLayer): StanceLayer => ({
    bias: bias.map((value, k) => heat * value + (shift[k] ?? 0)),
    weights: weights.map((row) => row.map((value) => heat * value)),
  })
  return { cues: layer(cues), vector: layer(vector), costs }
}
