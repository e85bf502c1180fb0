import type { MonitorChannel } from '../../events/monitors.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { randomId } from '../http/idempotency.ts'
import { SETTING_ID_CHARACTERS } from '../http/keyed-setting.ts'
import { addressProblem } from '../http/outbound-address.ts'
import { problem, type Problem } from '../http/problem.ts'
import { hintOf, targetOf, type NewChannel } from './channel-body.ts'

/** A channel of a request body, and the path of its object: empty for the body itself. */
interface GivenChannel {
  readonly channel: NewChannel
  readonly path: string
}

type ChannelPorts = Pick<Dependencies, 'outbound' | 'sendsEmail'>

/** `null` if messages can be sent to all of these channels. */
export async function channelsProblem(given: readonly GivenChannel[], ports: ChannelPorts): Promise<Problem | null> {
  const found = await Promise.all(given.map((one) => channelProblem(one, ports)))
  return found.find((one) => one !== null) ?? null
}

async function channelProblem({ channel, path }: GivenChannel, ports: ChannelPorts): Promise<Problem | null> {
  const within = path === '' ? '' : `${path}.`
  if (channel.type !== 'email') return addressProblem({ url: channel.url, path: `${within}url` }, ports.outbound)
  return ports.sendsEmail ? null : emailProblem(`${within}address`)
}

export function emailProblem(path: string): Problem {
  const message = 'this service sends no e-mails: its operator has not set SMTP_URL'
  return problem('email_not_configured', `${path}: ${message}`, { errors: [{ path, message }] })
}

/** A channel as it is stored, its target encrypted. An e-mail address has to be confirmed first. */
export function newChannel(
  given: NewChannel,
  now: number,
  { monitorSeal }: Pick<Dependencies, 'monitorSeal'>,
): MonitorChannel {
  const channel_id = `chn_${randomId(SETTING_ID_CHARACTERS)}`
  return {
    channel_id,
    type: given.type,
    sealed_target: monitorSeal.seal(targetOf(given), channel_id),
    hint: hintOf(given),
    status: given.type === 'email' ? 'unconfirmed' : 'active',
    disabled_reason: null,
    created_at: now,
  }
}

export const isUnconfirmed = ({ status }: MonitorChannel): boolean => status === 'unconfirmed'
