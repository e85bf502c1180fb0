import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, it } from 'vitest'
import { aChannelWorld, aMailPayload, CHANNEL_URLS } from '../../../../test/builders/channels.ts'
import { mailServer } from '../../../adapters/mail.ts'

const FROM = 'Stories <stories@example.com>'
const LINK = CHANNEL_URLS.link('unsubscribe', { monitor_id: 'mon_a', channel_id: 'chn_a' })

const servers: SMTPServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(resolve))))
})

/** A mail server on a free port of the loopback address. Returns its URL and the messages that it accepted. */
async function aMailServer(options: SMTPServerOptions = {}) {
  const messages: string[] = []
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true, closeTimeout: 10 },
    onData: (stream, _session, callback) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        messages.push(Buffer.concat(parts).toString())
        callback()
      })
    },
    ...options,
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { messages, port, url: `smtp://127.0.0.1:${port}` }
}

const worldWith = (url: string) =>
  aChannelWorld({ channel: { type: 'email' }, target: 'wren@example.com', mail: mailServer({ url, from: FROM }) })

const refusing = (responseCode: number, message: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error(message), { responseCode })),
})

it('an e-mail arrives with its headers, and under the same Message-ID if it is sent again', async () => {
  const { messages, url } = await aMailServer()
  const { attempt } = await worldWith(url)
  const payload = aMailPayload({ subject: 'Rain: Über\r\nBcc: eve@example.com' })

  expect(await attempt({ payload })).toMatchObject({ outcome: 'delivered', status_code: 250 })
  await attempt({ payload })

  const unfolded = messages.map((message) => message.replace(/\r\n[ \t]+/g, ' '))
  expect(unfolded).toHaveLength(2)
  for (const message of unfolded) {
    const headers = message.split('\r\n\r\n')[0]?.split('\r\n') ?? []
    expect(headers).toEqual(
      expect.arrayContaining([
        'From: Stories <stories@example.com>',
        'To: wren@example.com',
        'Message-ID: <dlv_a@example.com>',
        `List-Unsubscribe: <${LINK}>`,
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'Auto-Submitted: auto-generated',
      ]),
    )
    expect(headers.filter((header) => /^bcc/i.test(header))).toEqual([])
    expect(message).toContain('<p>Flood</p>')
  }
})

it('a recipient that the server refuses disables the channel', async () => {
  const { url } = await aMailServer(refusing(550, '5.1.1 no such user'))
  const { attempt, channelNow } = await worldWith(url)

  expect(await attempt({ payload: aMailPayload() })).toMatchObject({ outcome: 'gone', status_code: 550 })
  expect(await channelNow()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
})

it.each([
  [450, '4.2.0 greylisted'],
  [554, '5.7.1 relay access denied'],
])('a reply %i %s is retried', async (code, text) => {
  const { url } = await aMailServer(refusing(code, text))
  const { attempt, channelNow } = await worldWith(url)

  expect(await attempt({ payload: aMailPayload() })).toMatchObject({
    ...{ outcome: 'failed', status_code: code, error: 'smtp_status' },
  })
  expect(await channelNow()).toMatchObject({ status: 'active' })
})

it('a server that is down is retried, and reached again once it is up', async () => {
  const { port, url } = await aMailServer()
  await new Promise<void>((resolve) => servers.splice(0)[0]?.close(resolve))
  const { attempt } = await worldWith(url)

  expect(await attempt({ payload: aMailPayload() })).toMatchObject({ outcome: 'failed', error: 'refused' })

  const again = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], closeTimeout: 10 })
  servers.push(again)
  await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve))
  expect(await attempt({ payload: aMailPayload(), attempt: 1 })).toMatchObject({ outcome: 'delivered' })
})

it('credentials that the server refuses are an internal error, since no owner can mend it', async () => {
  const { port } = await aMailServer({
    ...{ authOptional: false, allowInsecureAuth: true },
    onAuth: (_auth, _session, callback) => callback(new Error('no')),
  })
  const { attempt, internal } = await worldWith(`smtp://wren:sesame@127.0.0.1:${port}`)

  expect(await attempt({ payload: aMailPayload() })).toMatchObject({ outcome: 'failed', error: 'internal' })
  expect(internal).toHaveLength(1)
  expect(inspect(internal, { depth: 10 })).not.toContain('sesame')
})

it('an address with a comma is no second recipient', async () => {
  const recipients: string[] = []
  const { url } = await aMailServer({
    onRcptTo: ({ address }, _session, callback) => {
      recipients.push(address)
      callback()
    },
  })
  const target = 'wren@example.com, eve@example.com'
  const { attempt } = await aChannelWorld({
    ...{ channel: { type: 'email' }, target, mail: mailServer({ url, from: FROM }) },
  })

  await attempt({ payload: aMailPayload() })

  expect(recipients.filter((address) => address.startsWith('eve'))).toEqual([])
})

it('an attempt that is aborted ends at once, also while the server is silent', async () => {
  const { url } = await aMailServer({ onRcptTo: () => undefined })
  const mail = { ...{ id: 'dlv_a', to: 'wren@example.com', subject: '', text: '', html: '' }, unsubscribe: null }
  const abort = new AbortController()
  const sent = mailServer({ url, from: FROM }).send(mail, abort.signal)

  setTimeout(() => abort.abort(), 200)

  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
})
