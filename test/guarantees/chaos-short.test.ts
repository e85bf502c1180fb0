import { expect, it } from 'vitest'
import { disturbedRun, undisturbedRun, type ChaosOptions } from '../chaos/chaos.ts'
import { sized } from '../builders/sizes.ts'
import { OUTAGE } from '../chaos/disturb.ts'

/** `make chaos` is the long form: two hundred kills, other articles, every trouble many times. */
const SHORT: Omit<ChaosOptions, 'seed'> = {
  kills: sized(3, 5),
  awayMs: 5_000,
  articles: sized(20, 30),
  atOnce: sized(20, 30),
  members: 2,
  say: (line) => console.error(line),
}

it('kills, troubles on the way and a store that is away for a while change nothing of what the views hold', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.error(`seed ${seed}`)

  const { left, chunks, crashes, done } = await disturbedRun({ ...SHORT, seed })
  const undisturbed = await undisturbedRun(chunks, { ...SHORT, seed })

  const { lost, doubled, deadLetters, hashes } = left
  expect({ lost, doubled, deadLetters, crashes }).toEqual({ lost: [], doubled: [], deadLetters: [], crashes: [] })
  expect(hashes).toEqual(undisturbed.hashes)
  expect(done.counts).toMatchObject({ 'service processes killed': SHORT.kills, [OUTAGE]: 1 })
}, 900_000)
