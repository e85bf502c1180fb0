import type { Head, Layer } from '../../src/language/stance/weights.ts'
import type { Guess } from './costs.ts'

/** Logarithms of chances times `heat`, and `shift` added to each class. */
export interface Calibration {
  readonly heat: number
  readonly shift: readonly number[]
}

const HEATS = Array.from({ length: 13 }, (_, i) => 0.6 + i * 0.2)
const ROUNDS = 30

/** The one by which the labels are likeliest: for each heat, shifts such that each class is expected as often as it is. */
export function calibrationFor(guesses: readonly Guess[], classes: number): Calibration {
  const shares = Array.from({ length: classes }, (_, k) => shareOf(guesses, k))
  const tried = HEATS.map((heat) => {
    let calibration: Calibration = { heat, shift: shares.map(() => 0) }
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

const shareOf = (guesses: readonly Guess[], k: number): number =>
  guesses.filter(({ label }) => label === k).length / guesses.length

export function calibrated({ logs, label }: Guess, { heat, shift }: Calibration): Guess {
  const sums = logs.map((log, k) => heat * log + (shift[k] ?? 0))
  const most = Math.max(...sums)
  const total = Math.log(sums.reduce((sum, value) => sum + Math.exp(value - most), 0)) + most
  return { logs: sums.map((sum) => sum - total), label }
}

/** The same in a head's own numbers: what is added to both layers is added to their mean. */
export const calibratedHead = ({ cues, vector, costs }: Head, { heat, shift }: Calibration): Head => {
  const layer = ({ bias, weights }: Layer): Layer => ({
    bias: bias.map((value, k) => heat * value + (shift[k] ?? 0)),
    weights: weights.map((row) => row.map((value) => heat * value)),
  })
  return { cues: layer(cues), vector: layer(vector), costs }
}
