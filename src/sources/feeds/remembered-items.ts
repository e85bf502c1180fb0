/** What is remembered of an item. The keys are hexadecimal. */
export interface RememberedItem {
  /** 8 bytes: hash of the item's id. */
  readonly id: string
  /** 8 bytes: hash of URL and title; `null` if the item lacks one of them. */
  readonly page: string | null
  /** 4 bytes: digest of the content. */
  readonly digest: string
  /** How often the content has changed, at most 255. */
  readonly edits: number
}

const FORMAT = 1
const NO_PAGE = '0000000000000000'
const [ID, PAGE, DIGEST] = [8, 8, 4]
const BYTES_PER_ITEM = ID + PAGE + DIGEST + 1

/** One byte that names the format, then 21 bytes per item, in order. */
export function encodeRemembered(items: readonly RememberedItem[]): Buffer {
  const encoded = Buffer.alloc(1 + items.length * BYTES_PER_ITEM)
  encoded[0] = FORMAT
  for (const [index, { id, page, digest, edits }] of items.entries()) {
    const at = 1 + index * BYTES_PER_ITEM
    encoded.write(id + (page ?? NO_PAGE) + digest, at, ID + PAGE + DIGEST, 'hex')
    encoded[at + ID + PAGE + DIGEST] = edits
  }
  return encoded
}

/** Throws if the buffer has another format: forgetting the items would publish all of them a second time. */
export function decodeRemembered(encoded: Buffer): readonly RememberedItem[] {
  const count = (encoded.length - 1) / BYTES_PER_ITEM
  if (encoded[0] !== FORMAT || !Number.isInteger(count)) throw new Error('remembered items of an unknown format')
  return Array.from({ length: count }, (_, index) => itemAt(encoded, 1 + index * BYTES_PER_ITEM))
}

function itemAt(encoded: Buffer, at: number): RememberedItem {
  const hex = (from: number, bytes: number): string => encoded.toString('hex', at + from, at + from + bytes)
  const page = hex(ID, PAGE)
  return {
    id: hex(0, ID),
    page: page === NO_PAGE ? null : page,
    digest: hex(ID + PAGE, DIGEST),
    edits: encoded[at + ID + PAGE + DIGEST] ?? 0,
  }
}
