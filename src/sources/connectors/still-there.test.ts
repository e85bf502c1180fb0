import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { goneAmong, type PresenceAnswer } from './still-there.ts'

const ids = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`)
const all = (held: readonly string[]): PresenceAnswer => ({ returned: held, existing: held })
const NOTHING = all([])

/** A platform that gives these answers, the last one for ever; and what it was asked. */
function aPlatform(...answers: ((ids: readonly string[]) => PresenceAnswer)[]) {
  const calls: number[] = []
  const ask = async (some: readonly string[]): Promise<PresenceAnswer> => {
    calls.push(some.length)
    return Promise.resolve((answers[calls.length - 1] ?? answers.at(-1))?.(some) ?? NOTHING)
  }
  const among = (some: readonly string[]) =>
    goneAmong(
      some.map((post_id) => ({ post_id })),
      100,
      ask,
    )
  return { calls, among }
}

describe('posts that a platform is asked for by id', () => {
  it('are never taken for gone because one answer was empty: that is trouble', async () => {
    const { among, calls } = aPlatform(() => NOTHING, all)

    await expect(among(ids(100))).rejects.toMatchObject({ name: 'Unavailable', detail: 'none_of_asked' })
    expect(calls).toEqual([100, 1])
  })

  it('are never taken for gone because an answer held others only', async () => {
    const { among } = aPlatform(() => all(['q1', 'q2']), all)

    await expect(among(ids(2))).rejects.toMatchObject({ detail: 'none_of_asked' })
  })

  it('are gone together when one of them, asked for by itself, is not given either', async () => {
    const { among, calls } = aPlatform(() => NOTHING)

    expect(await among(ids(3))).toEqual({ gone: ids(3), read: 0 })
    expect(calls).toEqual([3, 1])
  })

  it('are gone together without a second question where what is left of them is given', async () => {
    const { among, calls } = aPlatform((held) => ({ returned: held, existing: [] }))

    expect(await among(ids(3))).toEqual({ gone: ids(3), read: 3 })
    expect(calls).toEqual([3])
  })

  it('are asked for once more where it was a single one', async () => {
    const back = aPlatform(() => NOTHING, all)
    expect(await back.among(['p0'])).toEqual({ gone: [], read: 1 })
    expect(back.calls).toEqual([1, 1])

    const gone = aPlatform(() => NOTHING)
    expect(await gone.among(['p0'])).toEqual({ gone: ['p0'], read: 0 })
    expect(gone.calls).toEqual([1, 1])
  })

  it('are gone exactly where a platform without mistakes lacks them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 250 }), async (stands) => {
        const { among } = aPlatform((some) => all(some.filter((id) => stands[Number(id.slice(1))])))

        const { gone } = await among(ids(stands.length))

        expect(gone).toEqual(ids(stands.length).filter((_, i) => stands[i] !== true))
      }),
    )
  })
})
