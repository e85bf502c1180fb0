/** A list of slots of stories, in a buffer that is used again. */
export interface Slots {
  buffer: Int32Array
  length: number
}

export const noSlots = (capacity: number): Slots => ({ buffer: new Int32Array(capacity), length: 0 })

export function addSlot(slots: Slots, slot: number): void {
  if (slots.length === slots.buffer.length) widen(slots, slots.length + 1)
  slots.buffer[slots.length++] = slot
}

/** Removes the slot once. The last one takes its place. */
export function removeSlot(slots: Slots, slot: number): void {
  const at = slots.buffer.subarray(0, slots.length).indexOf(slot)
  if (at >= 0) slots.buffer[at] = slots.buffer[--slots.length] ?? 0
}

function widen(slots: Slots, length: number): void {
  const wider = new Int32Array(Math.max(length, Math.ceil(1.5 * slots.length)))
  wider.set(slots.buffer)
  slots.buffer = wider
}
