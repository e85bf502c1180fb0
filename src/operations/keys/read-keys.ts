import { KeyBook } from '../../api/http/keys/key-book.ts'
import type { KeyChanged } from '../../events/settings.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** Every key as the log has it now. */
export async function readKeys(wiring: Wiring): Promise<KeyBook> {
  const book = new KeyBook()
  const strange = await book.catchUp({ log: await wiring.log(), codec: await wiring.codec() })
  if (strange.length > 0) wiring.logger.warn({ offsets: strange }, 'keys_not_understood')
  return book
}

export function keyOf(book: KeyBook, id: string): KeyChanged {
  const key = book.get(id)
  if (key === null) throw new Error(`no key ${id}`)
  return key
}
