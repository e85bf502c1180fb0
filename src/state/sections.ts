/** A part of a state that is written and read as a whole. */
export type StateSection = Uint8Array

/** The sections that were written, in the same order. */
export interface WrittenSections {
  /** Throws if there are no more. */
  next(): Promise<ArrayBufferLike>
}

/** Writes a state to local disk and reads it, for a stage whose changelog would take minutes to replay. */
export interface StateSnapshot<State> {
  /** Names the layout, and the settings that a state depends on. A state of another format is not read. */
  readonly format: string
  /** The state must not change before the last section was taken. */
  write(state: State): Iterable<StateSection>
  read(sections: WrittenSections): Promise<State>
}

export const jsonSection = (value: unknown): StateSection => Buffer.from(JSON.stringify(value))

/** The value that `jsonSection` was called with. */
export const readJson = async <Value>(sections: WrittenSections): Promise<Value> =>
  JSON.parse(Buffer.from(await sections.next()).toString()) as Value

/** Its bytes, not copied. */
export const arraySection = ({ buffer, byteOffset, byteLength }: ArrayBufferView): StateSection =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Arrays one after the other. */
export const joinedSection = (arrays: readonly ArrayBufferView[]): StateSection =>
  Buffer.concat(arrays.map(arraySection))

const CHUNK = 2_048

/** Items in chunks that take about 10 ms to write or to read. */
export function* chunksOf<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
