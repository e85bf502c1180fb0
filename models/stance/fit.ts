import type { StanceLayer } from '../../src/language/stance/stance.ts'

export interface StanceSample {
  readonly row: ArrayLike<number>
  readonly label: number
  readonly weight: number
}

interface Fitting {
  readonly classes: number
  /** Half of it times each squared weight (not the biases') is added to the loss. */
  readonly penalty: number
  /** Rows are multiplied by it while learning, so that the penalty bears on small numbers as on large ones. */
  readonly scale: number
}

const STEPS = 150
const MEMORY = 8

/** Multinomial logistic regression by L-BFGS from nothing: the same at each run. Weights are of the rows as given. */
export function fit(samples: readonly StanceSample[], { classes, penalty, scale }: Fitting): StanceLayer {
  const width = samples[0]?.row.length ?? 0
  const stride = width + 1
  const rows = samples.map(({ row }) => Float64Array.from({ length: width }, (_, i) => (row[i] ?? 0) * scale))
  const gradientAt = (at: Float64Array, slope: Float64Array): number => {
    let loss = 0
    slope.fill(0)
    const sums = new Float64Array(classes)
    samples.forEach(({ label, weight }, n) => {
      const row = rows[n] ?? new Float64Array()
      let most = -Infinity
      for (let k = 0; k < classes; k++) {
        let sum = at[k * stride + width] ?? 0
        for (let i = 0; i < width; i++) sum += (at[k * stride + i] ?? 0) * (row[i] ?? 0)
        sums[k] = sum
        if (sum > most) most = sum
      }
      let total = 0
      for (let k = 0; k < classes; k++) total += Math.exp((sums[k] ?? 0) - most)
      loss += weight * (Math.log(total) + most - (sums[label] ?? 0))
      for (let k = 0; k < classes; k++) {
        const miss = weight * (Math.exp((sums[k] ?? 0) - most) / total - (k === label ? 1 : 0))
        for (let i = 0; i < width; i++) slope[k * stride + i] = (slope[k * stride + i] ?? 0) + miss * (row[i] ?? 0)
        slope[k * stride + width] = (slope[k * stride + width] ?? 0) + miss
      }
    })
    for (let k = 0; k < classes; k++)
      for (let i = k * stride; i < k * stride + width; i++) {
        loss += (penalty * (at[i] ?? 0) ** 2) / 2
        slope[i] = (slope[i] ?? 0) + penalty * (at[i] ?? 0)
      }
    return loss
  }
  const best = descended(new Float64Array(classes * stride), gradientAt)
  const of = (k: number) => best.subarray(k * stride, (k + 1) * stride)
  return {
    bias: Array.from({ length: classes }, (_, k) => of(k)[width] ?? 0),
    weights: Array.from({ length: classes }, (_, k) => [...of(k).subarray(0, width)].map((value) => value * scale)),
  }
}

type Gradient = (at: Float64Array, slope: Float64Array) => number

/** L-BFGS (Nocedal and Wright, algorithm 7.4) with step halving; the objective is convex. */
export function descended(start: Float64Array, gradientAt: Gradient, steps = STEPS): Float64Array {
  let at = start
  let slope = new Float64Array(at.length)
  let loss = gradientAt(at, slope)
  const past: { moved: Float64Array; turned: Float64Array; rho: number }[] = []
  for (let step = 0; step < steps; step++) {
    const direction = slope.map((value) => -value)
    const alphas = past.map(() => 0)
    for (let j = past.length - 1; j >= 0; j--) {
      const { moved, turned, rho } = past[j] ?? never()
      const alpha = rho * dot(moved, direction)
      alphas[j] = alpha
      add(direction, turned, -alpha)
    }
    const last = past.at(-1)
    const size = last === undefined ? 1 / Math.sqrt(dot(slope, slope)) : 1 / (last.rho * dot(last.turned, last.turned))
    direction.forEach((value, i) => (direction[i] = value * size))
    past.forEach(({ moved, turned, rho }, j) => add(direction, moved, (alphas[j] ?? 0) - rho * dot(turned, direction)))
    const fall = dot(slope, direction)
    let length = 1
    let next = at
    let lower = loss
    const nextSlope = new Float64Array(at.length)
    for (; length > 1e-6; length /= 2) {
      next = Float64Array.from(at)
      add(next, direction, length)
      lower = gradientAt(next, nextSlope)
      if (lower <= loss + 1e-4 * length * fall) break
    }
    if (loss - lower < 1e-6 * loss) return lower < loss ? next : at
    const moved = next.map((value, i) => value - (at[i] ?? 0))
    const turned = nextSlope.map((value, i) => value - (slope[i] ?? 0))
    const curve = dot(moved, turned)
    if (curve > 0) past.push({ moved, turned, rho: 1 / curve })
    if (past.length > MEMORY) past.shift()
    at = next
    slope = nextSlope
    loss = lower
  }
  return at
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + times * (what[i] ?? 0)
}

function never(): never {
  throw new Error('A remembered step is missing')
}
