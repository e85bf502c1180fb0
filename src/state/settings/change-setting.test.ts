import { beforeEach, describe, expect, it } from 'vitest'
import { aCodec, aHandMovedClock, aLog } from '../../../test/builders/api.ts'
import { aWebhook } from '../../../test/builders/webhooks.ts'
import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import type { OutRecord } from '../../ports/log.ts'
import { changeSetting, type SettingChange, TooManyAtOnce } from './change-setting.ts'
import { WebhookBook } from './webhooks.ts'
import { UpToDate } from './book.ts'

const [log, codec, clock] = [aLog(), aCodec(), aHandMovedClock()]
const ID = 'whk_a'
let turn = 0

const put = async (endpoint: WebhookChanged | null): Promise<void> => {
  const value = endpoint === null ? null : await codec.encode(webhooksChanged, endpoint)
  await log.produce([{ topic: webhooksChanged.name, key: ID, value }])
}
const knownOf = () =>
  new UpToDate(new WebhookBook(), { log, codec, clock, onStrange: (offsets) => expect(offsets).toEqual([]) })
const newest = async () => (await knownOf().now()).get(ID)

type Between = (writing: number) => Promise<void>
const nothing: Between = () => Promise.resolve()

/** An instance in which a callback runs right before, or right after, its writes are logged. */
function instance({ before = nothing, after = nothing }: { readonly before?: Between; readonly after?: Between } = {}) {
  const known = knownOf()
  let writing = 0
  const produce = async (records: readonly OutRecord[]): Promise<number> => {
    writing++
    await before(writing)
    const at = await log.produce(records)
    await after(writing)
    return at
  }
  return async (
    become: (found: WebhookChanged) => WebhookChanged | null,
    refusal = (found: WebhookChanged | null): 'none' | 'left_alone' | null => (found === null ? 'none' : null),
  ) => {
    const change: SettingChange<WebhookChanged, 'none' | 'left_alone'> = { refusal, become }
    return changeSetting(ID, change, { log: { produce }, codec, known })
  }
}

const described = (description: string) => (found: WebhookChanged) => ({ ...found, description, updated_at: ++turn })
const disabled = (found: WebhookChanged): WebhookChanged => ({ ...found, status: 'disabled', disabled_reason: 'gone' })
const unlessChanged = (found: WebhookChanged | null): 'left_alone' | null =>
  found?.url === aWebhook().url ? null : 'left_alone'
const once =
  (happens: () => Promise<unknown>): Between =>
  async (writing) => {
    if (writing === 1) await happens()
  }

beforeEach(() => put(aWebhook()))

describe('a change of an endpoint that another changes at the same time', () => {
  it.each(['before', 'after'] as const)(
    'is there, and so is a disabling right %s it by who looks no more',
    async (when) => {
      const change = instance({ [when]: once(() => put(disabled(aWebhook()))) })
      const changed = await change(described('mine'))

      const both = { description: 'mine', status: 'disabled', disabled_reason: 'gone' }
      expect(changed).toMatchObject({ kind: 'changed', setting: both })
      expect(await newest()).toMatchObject(both)
    },
  )

  it.each(['before', 'after'] as const)('of another instance right %s it: both are there', async (when) => {
    const other = instance()
    const url = 'https://example.org/other'
    const change = instance({ [when]: once(() => other((found) => ({ ...found, url }))) })

    expect(await change(described('mine'))).toMatchObject({ setting: { description: 'mine' } })
    expect(await newest()).toMatchObject({ description: 'mine', url })
  })

  it('both begun on the same state: neither is lost, whoever writes last', async () => {
    const url = 'https://example.org/other'
    const other = instance()
    let theirs: Promise<unknown> = Promise.resolve()
    const change = instance({
      before: once(() => Promise.resolve((theirs = other((found) => ({ ...found, url }))))),
    })
    await Promise.all([change(described('mine')), theirs])
    await theirs

    expect(await newest()).toMatchObject({ description: 'mine', url })
  })

  it.each(['before', 'after'] as const)('does not bring back what was deleted right %s it', async (when) => {
    const change = instance({ [when]: once(() => put(null)) })

    const changed = await change(described('mine'))

    expect(typeof changed === 'string' || changed.setting === null).toBe(true)
    expect(await newest()).toBeNull()
  })

  it('a deletion holds, whatever is written over it', async () => {
    const remove = instance({ after: once(() => put(disabled(aWebhook()))) })

    expect(await remove(() => null)).toMatchObject({ setting: null })
    expect(await newest()).toBeNull()
  })

  it.each(['before', 'after'] as const)('is withdrawn if what another wrote right %s it forbids it', async (when) => {
    const theirs = aWebhook({ url: 'https://example.org/other', updated_at: 5 })
    const change = instance({ [when]: once(() => put(theirs)) })

    expect(await change(disabled, unlessChanged)).toBe('left_alone')
    expect(await newest()).toEqual(theirs)
  })

  it('is withdrawn if it is forbidden by the time of a concurrent change alone', async () => {
    const theirs = aWebhook({ updated_at: aWebhook().updated_at + 5 })
    const change = instance({ before: once(() => put(theirs)) })
    const isLater = (found: WebhookChanged | null) => (found?.updated_at === theirs.updated_at ? 'left_alone' : null)

    expect(await change(disabled, isLater)).toBe('left_alone')
    expect(await newest()).toEqual(theirs)
  })

  it('of two that delete it, both receive the deletion as the result', async () => {
    const other = instance()
    const remove = instance({ after: once(() => put(null)), before: once(() => other(() => null)) })

    expect(await remove(() => null)).toEqual({ kind: 'changed', setting: null })
    expect(await newest()).toBeNull()
  })

  it('is withdrawn in favour of the last of several that forbid it', async () => {
    const theirs = (round: number) => aWebhook({ url: `https://example.org/${round}` })
    const change = instance({ before: (writing) => (writing < 4 ? put(theirs(writing)) : Promise.resolve()) })

    expect(await change(disabled, unlessChanged)).toBe('left_alone')
    expect(await newest()).toEqual(theirs(3))
  })

  it('is withdrawn without undoing what another instance changes at the same time', async () => {
    const other = instance()
    const url = 'https://example.org/other'
    const change = instance({ before: once(() => other((found) => ({ ...found, url }))) })

    expect(await change(disabled, unlessChanged)).toBe('left_alone')
    expect(await newest()).toMatchObject({ url, status: 'active', disabled_reason: null })
  })

  it('is given up when others never cease, and not told as done', async () => {
    const change = instance({ after: (writing) => put(aWebhook({ description: `theirs ${writing}` })) })

    await expect(change(described('mine'))).rejects.toThrow(TooManyAtOnce)
  })

  it('alone is written once', async () => {
    const before = log.records(webhooksChanged.name).length
    await instance()(described('mine'))

    expect(log.records(webhooksChanged.name)).toHaveLength(before + 1)
  })
})
