import { describe, expect, it, vi } from 'vitest'
import { A_DAY } from '../../../../test/builders/articles.ts'
import { aChannelWorld, aMailPayload, CHANNEL_NOW, CHANNEL_URLS } from '../../../../test/builders/channels.ts'
import { aChannel } from '../../../../test/builders/monitors.ts'
import { append, codec, eventsIn } from '../../../../test/builders/plain-log.ts'
import { aRunning } from '../../../../test/builders/running.ts'
import { soon } from '../../../../test/builders/soon.ts'
import { aDelivery } from '../../../../test/builders/webhooks.ts'
import { monitorsChanged } from '../../../events/monitors.ts'
import { webhooksDelivered } from '../../../events/webhooks.ts'
import { runEffect } from '../../../runtime/run-effect.ts'
import type { Mail, MailAnswer, OutgoingMail } from '../../../ports/mail.ts'

const status = (code: number) => () => Promise.resolve({ status: code, retryAfterSeconds: null })
const LINK = CHANNEL_URLS.link('unsubscribe', { monitor_id: 'mon_a', channel_id: 'chn_a' })

describe('a delivery to a channel of Slack or Teams', () => {
  it('is posted as planned, without a signature', async () => {
    const { attempt, posts } = await aChannelWorld()

    const made = await attempt({ payload: '{"text":"Rain"}' })

    expect(made).toMatchObject({ outcome: 'delivered', attempt: 1, status_code: 200, error: null })
    expect(posts).toEqual([
      {
        url: 'https://hooks.slack.com/services/T/B/x',
        headers: { 'content-type': 'application/json', 'user-agent': 'story-intelligence-service' },
        body: '{"text":"Rain"}',
      },
    ])
  })

  it.each([
    ['disabled', { channel: { status: 'disabled' } as const }],
    ['not confirmed', { channel: { status: 'unconfirmed' } as const }],
    ['of a paused monitor', { monitor: { status: 'paused' } as const }],
    ['of a deleted monitor', { monitor: { status: 'deleted', channels: [] } as const }],
    ['removed', { monitor: { channels: [aChannel({ channel_id: 'chn_b' })] } }],
    ['of another namespace', { monitor: { namespace: 'other' } }],
    ['of an owner without a live key', { isHeard: false }],
  ])('is cancelled if the channel is %s', async (_, world) => {
    const { attempt, posts } = await aChannelWorld(world)

    expect(await attempt()).toMatchObject({ outcome: 'cancelled', attempt: 0, next_attempt_at: null })
    expect(posts).toEqual([])
  })

  it('is sent to a paused monitor if it is a test', async () => {
    const { attempt } = await aChannelWorld({ monitor: { status: 'paused' } })

    expect(await attempt({ type: 'channel.test' })).toMatchObject({ outcome: 'delivered' })
  })

  it.each([404, 410])('answered with %i disables the channel', async (code) => {
    const { attempt, channelNow } = await aChannelWorld({ answer: status(code) })

    expect(await attempt()).toMatchObject({ outcome: 'gone', status_code: code, error: 'http_status' })
    expect(await channelNow()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  })

  it('is retried, and disables the channel when it is given up', async () => {
    const { attempt, channelNow } = await aChannelWorld({ answer: status(500) })

    expect(await attempt()).toMatchObject({ outcome: 'failed', attempt: 1 })
    expect(await channelNow()).toMatchObject({ status: 'active' })
    expect(await attempt({ attempt: 1 })).toMatchObject({ outcome: 'given_up' })
    expect(await channelNow()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
  })

  it.each([
    ['deleted the monitor', { status: 'deleted', channels: [] }],
    ['removed the channel', { channels: [] }],
    ['renamed the monitor', { name: 'Snow' }],
    ['paused the monitor', { status: 'paused' }],
  ] as const)('leaves the state of an owner who %s at the moment of disabling', async (_, change) => {
    const { attempt, log, set } = await aChannelWorld({ answer: status(500) })
    const theirs = { ...change, updated_at: CHANNEL_NOW + 5 }
    const produce = log.produce.bind(log)
    vi.spyOn(log, 'produce').mockImplementationOnce(async (records) => {
      await set(theirs)
      return produce(records)
    })

    expect(await attempt({ attempt: 1 })).toMatchObject({ outcome: 'given_up' })
    const [before, ours, last] = (await eventsIn(log, monitorsChanged)).slice(-3)
    expect(ours?.channels[0]).toMatchObject({ status: 'disabled' })
    expect(last).toEqual(before)
    expect(last).toMatchObject(theirs)
  })

  it('leaves alone what the owner changed meanwhile', async () => {
    const { attempt, channelNow, set } = await aChannelWorld({
      answer: async () => {
        await set({ channels: [aChannel({ sealed_target: Buffer.from('another') })] })
        return { status: 410, retryAfterSeconds: null }
      },
    })

    await attempt()

    expect(await channelNow()).toMatchObject({ status: 'active' })
  })

  it('fails and is logged if the target was sealed under another SECRETS_KEY', async () => {
    const { attempt, internal } = await aChannelWorld({ channel: { sealed_target: Buffer.from('sealed elsewhere') } })

    expect(await attempt()).toMatchObject({ outcome: 'failed', error: 'secret_unreadable' })
    expect(internal).toHaveLength(1)
  })
})

const ACCEPTED: MailAnswer = { status: 250, isRecipientRefused: false }

const aMailbox = (answer: () => Promise<MailAnswer> = () => Promise.resolve(ACCEPTED)) => {
  const mails: OutgoingMail[] = []
  const mail: Mail = {
    send: async (one) => {
      mails.push(one)
      return answer()
    },
  }
  return { mails, mail }
}

const EMAIL = { channel: { type: 'email' }, target: 'wren@example.com' } as const

describe('a delivery to an e-mail address', () => {
  it('is an e-mail under the id of the delivery, with the link to unsubscribe', async () => {
    const { mails, mail } = aMailbox()
    const { attempt } = await aChannelWorld({ ...EMAIL, mail })

    const made = await attempt({ payload: aMailPayload() })

    expect(made).toMatchObject({ outcome: 'delivered', status_code: 250, error: null })
    expect(mails).toEqual([
      {
        ...{ id: 'dlv_a', to: 'wren@example.com', subject: 'Rain: flood', text: 'Flood', html: '<p>Flood</p>' },
        unsubscribe: LINK,
      },
    ])
  })

  it('is nothing but the request to confirm while the address is not confirmed', async () => {
    const { mails, mail } = aMailbox()
    const { attempt } = await aChannelWorld({ ...EMAIL, channel: { type: 'email', status: 'unconfirmed' }, mail })

    expect(await attempt({ payload: aMailPayload() })).toMatchObject({ outcome: 'cancelled' })
    expect(await attempt({ payload: aMailPayload(), type: 'channel.confirmation' })).toMatchObject({
      outcome: 'delivered',
    })
    expect(mails).toMatchObject([{ unsubscribe: null }])
  })

  it('disables the channel if the server refuses the recipient, and is retried for another refusal', async () => {
    const refused = aMailbox(() => Promise.resolve({ status: 550, isRecipientRefused: true }))
    const later = aMailbox(() => Promise.resolve({ status: 451, isRecipientRefused: false }))
    const [gone, waiting] = [
      await aChannelWorld({ ...EMAIL, mail: refused.mail }),
      await aChannelWorld({ ...EMAIL, mail: later.mail }),
    ]

    expect(await gone.attempt({ payload: aMailPayload() })).toMatchObject({
      ...{ outcome: 'gone', status_code: 550, error: 'smtp_status' },
    })
    expect(await gone.channelNow()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    expect(await waiting.attempt({ payload: aMailPayload() })).toMatchObject({
      ...{ outcome: 'failed', status_code: 451, error: 'smtp_status' },
    })
  })

  it('fails and is logged if there is no mail server', async () => {
    const { attempt, internal } = await aChannelWorld(EMAIL)

    expect(await attempt({ payload: aMailPayload() })).toMatchObject({ outcome: 'failed', error: 'no_mail_server' })
    expect(internal).toHaveLength(1)
  })

  it('waits for the next UTC day once the address has had a hundred, and counts only what was accepted', async () => {
    let isAway = true
    const { mails, mail } = aMailbox(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(ACCEPTED)))
    const { attempt, clock, effect } = await aChannelWorld({ ...EMAIL, mail })
    const payload = aMailPayload()
    const midnight = Math.ceil(CHANNEL_NOW / 86_400_000) * 86_400_000

    await attempt({ payload })
    isAway = false
    for (let i = 0; i < 100; i++) await attempt({ payload })
    const waiting = await attempt({ payload })

    expect(mails).toHaveLength(101)
    expect(waiting).toMatchObject({
      ...{ outcome: 'planned', attempt: 0, error: 'daily_limit', next_attempt_at: midnight, payload },
    })
    expect(effect.dueAt(waiting)).toBe(midnight)
    expect(effect.wentWell(waiting)).toBeNull()
    const later = { ...waiting, next_attempt_at: midnight + 86_400_000 }
    const [planned = 0, ...progress] = [aDelivery(), waiting, later, aDelivery({ attempt: 1 })].map((event) =>
      effect.progress(event),
    )
    expect(planned).toBe(0)
    expect(progress.every((one, i) => one > (progress[i - 1] ?? planned))).toBe(true)

    clock.pass(midnight - CHANNEL_NOW)
    expect(await attempt(waiting)).toMatchObject({ outcome: 'delivered', attempt: 1 })
  })
})

it('an e-mail over the limit is sent on the next day, and none is lost', async () => {
  const { mails, mail } = aMailbox()
  const { clock, effect, log } = await aChannelWorld({ ...EMAIL, mail })
  const deliveries = Array.from({ length: 102 }, (_, i) =>
    aDelivery({ webhook_id: 'chn_a', type: 'monitor.matched', delivery_id: `dlv_${i}`, payload: aMailPayload() }),
  )
  await append(log, webhooksDelivered, deliveries)
  const consumer = await runEffect(effect, { ...aRunning({ memoryLog: log, clock }), codec })

  await vi.waitFor(async () => expect(await eventsIn(log, webhooksDelivered)).toHaveLength(204), soon)
  expect(mails).toHaveLength(100)
  clock.pass(86_400_000)
  await vi.waitFor(() => expect(mails).toHaveLength(102), soon)
  await vi.waitFor(async () => expect(await eventsIn(log, webhooksDelivered)).toHaveLength(206), soon)
  await consumer.stop()

  expect(new Set(mails.map(({ id }) => id)).size).toBe(102)
})

it('stays active if something else was accepted since a delivery was planned', async () => {
  const { attempt, channelNow } = await aChannelWorld({ answer: status(500) })

  await attempt({ attempt: 1 }, { since: A_DAY, laneWentWellAt: A_DAY + 1 })

  expect(await channelNow()).toMatchObject({ status: 'active' })
})
