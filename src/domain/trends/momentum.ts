export const MOMENTA = ['spiking', 'rising', 'stable', 'falling'] as const
export type Momentum = (typeof MOMENTA)[number]

/** What Layer 3 calls a velocity. */
export function momentum(velocity: number): Momentum {
  if (velocity >= 3) return 'spiking'
  if (velocity >= 1.5) return 'rising'
  return velocity >= 0.5 ? 'stable' : 'falling'
}

export const SCALES = ['declining', 'stable', 'rising', 'spiking', 'viral'] as const
export type Scale = (typeof SCALES)[number]

/** What the base address calls it. */
export function scale(velocity: number): Scale {
  if (velocity < 1) return 'declining'
  if (velocity < 2) return 'stable'
  if (velocity < 5) return 'rising'
  return velocity <= 10 ? 'spiking' : 'viral' // "above 10.0 viral"
}
