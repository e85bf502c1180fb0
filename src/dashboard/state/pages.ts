import { useEffect, useState } from 'preact/hooks'
import { useAnswer, type ServiceReply } from './answer.ts'
import { asOf } from './place.ts'
import type { DashboardAsk } from './service.ts'

interface List<Page> {
  /** Says all that the list depends on but the moment. */
  readonly name: string
  /** Grows when the first page is to be read again. */
  readonly turn?: number
  readonly ask: (cursor: string | undefined) => DashboardAsk<Page>
}

interface Paged<Page> {
  readonly first: ServiceReply<Page>
  /** The pages behind the first one. */
  readonly more: readonly Page[]
  /** Reads the next page; null: there is none, or it is being read. */
  readonly next: (() => void) | null
}

interface Cursored {
  readonly next_cursor: string | null
}

/** A list that is read page by page. The first page stays new; what was read behind it stays as it was. */
export function usePages<Page extends Cursored>({ name, turn = 0, ask }: List<Page>): Paged<Page> {
  const [more, setMore] = useState<readonly Page[]>([])
  const [requested, setRequested] = useState<string | undefined>(undefined)
  const whole = `${name} ${asOf() ?? ''}`
  useEffect(() => {
    setMore([])
    setRequested(undefined)
  }, [whole])
  const first = useAnswer({ name: whole, turn, ask: ask(undefined) })
  const reading = useAnswer({ name: requested === undefined ? '' : `${whole} ${requested}`, ask: ask(requested) })
  useEffect(() => {
    if (reading.kind !== 'known' || requested === undefined) return
    setMore((before) => [...before, reading.value])
    setRequested(undefined)
  }, [reading])
  const cursor = cursorBehind(first, more)
  return { first, more, next: cursor === null || requested !== undefined ? null : () => setRequested(cursor) }
}

/** Where the next page begins; null: nowhere. */
const cursorBehind = (first: ServiceReply<Cursored>, more: readonly Cursored[]): string | null =>
  more.at(-1)?.next_cursor ?? (more.length === 0 && first.kind === 'known' ? first.value.next_cursor : null)
