import { useEffect, useRef, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { asker, type Asker, type ServiceReply } from './asker.ts'
import { requestsRunning } from './requests-running.ts'
import { SLOW_MS } from './condition.ts'
import { slowRequests } from './health.ts'
import { client, pausedUntil, refusalOf, type DashboardAsk } from './service.ts'
import { key, leave } from './session.ts'

export type { ServiceReply } from './asker.ts'

interface DashboardQuestion<Answer> {
  /** Says all that the answer depends on: another name, another question. Empty: nothing is asked. */
  readonly name: string
  /** Grows when the same is to be asked again; what is known stays until then. */
  readonly turn?: number
  readonly ask: DashboardAsk<Answer>
}

/** A connection that went away without a word, as those of a laptop that slept do. The service itself says so sooner. */
const LONGEST_MS = 30_000

const PENDING = { kind: 'asked' } as const

/** The answer to a question: asked when it first is needed, and whenever its name or turn changes. */
export function useAnswer<Answer>({ name, turn = 0, ask }: DashboardQuestion<Answer>): ServiceReply<Answer> {
  const [known, setKnown] = useState<{ readonly of: string; readonly reply: ServiceReply<Answer> }>({
    of: '',
    reply: PENDING,
  })
  const reader = key.value
  const current = useRef<Asker | null>(null)
  useEffect(() => {
    if (name === '' || reader === '') return undefined
    current.current = asker<Answer>({
      once: async (signal) => replyTo(ask, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])),
      report: (reply) => setKnown((before) => latest(before, { of: name, reply })),
      pausedMs: () => pausedUntil.value - now(),
    })
    return () => {
      current.current?.end()
      current.current = null
    }
    // `ask` is new each time and says the same as the name
  }, [name, reader])
  useEffect(() => current.current?.again(), [name, reader, turn])
  return known.of === name ? known.reply : PENDING
}

type Known<Answer> = { readonly of: string; readonly reply: ServiceReply<Answer> }

/** What is known is not taken away by a service that cannot answer for a moment. */
function latest<Answer>(before: Known<Answer>, next: Known<Answer>): Known<Answer> {
  const isPassing = next.reply.kind === 'refused' && next.reply.refusal.againIn !== null
  return isPassing && before.of === next.of && before.reply.kind === 'known' ? before : next
}

const REFUSED = 'This key was refused. Is it whole? One that was revoked or has run out is refused too.'

async function replyTo<Answer>(ask: DashboardAsk<Answer>, signal: AbortSignal): Promise<ServiceReply<Answer>> {
  requestsRunning.value += 1
  const isAnswered = countIfSlow()
  try {
    return { kind: 'known', value: await ask(client.value.api, signal) }
  } catch (cause) {
    const refusal = refusalOf(cause)
    if (refusal.kind === 'key' && !signal.aborted) leave(REFUSED)
    return { kind: 'refused', refusal }
  } finally {
    requestsRunning.value -= 1
    isAnswered()
  }
}

/** Counts a request as slow from `SLOW_MS` on until the returned function is called. */
function countIfSlow(): () => void {
  let slow = 0
  const timer = setTimeout(() => {
    slow = 1
    slowRequests.value += 1
  }, SLOW_MS)
  return () => {
    clearTimeout(timer)
    slowRequests.value -= slow
  }
}
