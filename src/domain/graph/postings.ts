import type { Significant } from './story.ts'

/** An entity that stories name, with those that do. */
export interface EntityPosting {
  readonly entity_id: string
  readonly weight: number
  /** int32: slots of stories, in no order; room for more at its end. */
  slots: Int32Array
  size: number
}

const FIRST_ROOM = 2

/** Which stories name an entity: lists that grow and shrink one by one. */
export function postings() {
  const all = new Map<string, EntityPosting>()

  const add = ({ entity_id, weight }: Significant, slot: number): EntityPosting => {
    let posting = all.get(entity_id)
    if (posting === undefined) {
      posting = { entity_id, weight, slots: new Int32Array(FIRST_ROOM), size: 0 }
      all.set(entity_id, posting)
    }
    if (posting.size === posting.slots.length) posting.slots = doubled(posting.slots)
    posting.slots[posting.size++] = slot
    return posting
  }

  const remove = (posting: EntityPosting, slot: number): void => {
    const place = posting.slots.subarray(0, posting.size).indexOf(slot)
    if (place < 0) return
    posting.slots[place] = posting.slots[--posting.size] ?? 0
    if (posting.size === 0) all.delete(posting.entity_id)
  }
  return { add, remove }
}

export function doubled(values: Int32Array): Int32Array {
  const more = new Int32Array(values.length * 2)
  more.set(values)
  return more
}
