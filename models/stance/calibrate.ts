import type { Head, StanceLayer } from '../../src/language/stance/linear-stance.ts'
import type { CostsGuess } from './costs.ts'

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
