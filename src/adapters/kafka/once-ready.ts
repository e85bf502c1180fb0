import { setTimeout } from 'node:timers/promises'

const LOOK_EVERY_MS = 100

/** What a broker says when it is too early, and how often it is asked, a tenth of a second apart. */
interface TooEarly {
  /** Of errors of the protocol, by kafkajs's names. */
  readonly types: ReadonlySet<string>
  readonly looks: number
}

/** The answer, once a broker is ready to give one. Throws any other error at once, and the last one when it never was. */
export async function onceReady<Answer>(ask: () => Promise<Answer>, { types, looks }: TooEarly): Promise<Answer> {
  for (let look = 1; ; look++) {
    try {
      return await ask()
    } catch (cause) {
      const isEarly = cause instanceof Error && 'type' in cause && types.has(String(cause.type))
      if (!isEarly || look === looks) throw cause
      await setTimeout(LOOK_EVERY_MS)
    }
  }
}
