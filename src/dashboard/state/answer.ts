import { useEffect, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { asking } from './asking.ts'
import { client, pausedUntil, refusalOf, type Ask, type Refusal } from './service.ts'
import { key, leave } from './session.ts'

export type Reply<Answer> =
  | { readonly kind: 'asked' }
  | { readonly kind: 'known'; readonly value: Answer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

interface Question<Answer> {
  /** Says all that the answer depends on: another name, another question. Empty: nothing is asked. */
  readonly name: string
  /** Grows when the same is to be asked anew; what is known stays until then. */
  readonly turn?: number
  readonly ask: Ask<Answer>
}

const ASKED = { kind: 'asked' } as const

/** The answer to a question: asked when it first is needed, and whenever its name or turn changes. */
export function useAnswer<Answer>({ name, turn = 0, ask }: Question<Answer>): Reply<Answer> {
  const [known, setKnown] = useState<{ readonly of: string; readonly reply: Reply<Answer> }>({ of: '', reply: ASKED })
  const reader = key.value
  useEffect(() => {
    if (name === '' || reader === '') return undefined
    const end = new AbortController()
    void patiently(ask, end.signal, (reply) => setKnown((before) => latest(before, { of: name, reply })))
    return () => end.abort()
    // `ask` is new each time and says the same as the name
  }, [name, turn, reader])
  return known.of === name ? known.reply : ASKED
}

type Known<Answer> = { readonly of: string; readonly reply: Reply<Answer> }

/** What is known is not taken away by a service that cannot answer for a moment. */
function latest<Answer>(before: Known<Answer>, next: Known<Answer>): Known<Answer> {
  const isPassing = next.reply.kind === 'refused' && next.reply.refusal.againIn !== null
  return isPassing && before.of === next.of && before.reply.kind === 'known' ? before : next
}

/** Asks until there is an answer or a refusal for good; waits as long as the service says. */
async function patiently<Answer>(
  ask: Ask<Answer>,
  signal: AbortSignal,
  tell: (reply: Reply<Answer>) => void,
): Promise<void> {
  for (let waitMs: number | null = 0; waitMs !== null;) {
    await pause(Math.max(waitMs, pausedUntil.value - now()), signal)
    const reply: Reply<Answer> = isOver(signal) ? ASKED : await replyTo(ask, signal)
    if (isOver(signal)) return
    tell(reply)
    waitMs = againAfter(reply)
  }
}

const isOver = (signal: AbortSignal): boolean => signal.aborted

/** Milliseconds; null: it is answered, or asking again would not help. */
const againAfter = (reply: Reply<unknown>): number | null =>
  reply.kind !== 'refused' || reply.refusal.againIn === null ? null : reply.refusal.againIn * 1_000

const REFUSED = 'This key was refused. Is it whole? One that was revoked or has run out is refused too.'

async function replyTo<Answer>(ask: Ask<Answer>, signal: AbortSignal): Promise<Reply<Answer>> {
  asking.value += 1
  try {
    return { kind: 'known', value: await ask(client.value.api, signal) }
  } catch (cause) {
    const refusal = refusalOf(cause)
    if (refusal.kind === 'key' && !signal.aborted) leave(REFUSED)
    return { kind: 'refused', refusal }
  } finally {
    asking.value -= 1
  }
}

/** Ends early when nobody waits any more, and when the browser is online again. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
  await new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) {
      resolve()
      return
    }
    const end = new AbortController()
    const done = (): void => {
      clearTimeout(timer)
      end.abort()
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { signal: end.signal })
    addEventListener('online', done, { signal: end.signal })
  })
