const LF = 0x0a
const CR = 0x0d

/** Bytes with every line end as a line feed: files mix them, and a parser that guesses from the first line miscounts. */
export async function* withLineFeeds(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let afterCr = false
  for await (const chunk of bytes) {
    if (!afterCr && !chunk.includes(CR)) {
      yield chunk
      continue
    }
    const out = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (const byte of chunk) {
      if (!(afterCr && byte === LF)) out[length++] = byte === CR ? LF : byte
      afterCr = byte === CR
    }
    yield out.subarray(0, length)
  }
}

const SEPARATORS = [',', ';', '\t'] as const
/** No header is longer; a file without line breaks is not read on for one. */
const MAX_HEADER_BYTES = 256 * 1024

/** The beginning of a file up to the end of its first line that is not blank, and the file as a whole again. */
export async function peekHeader(
  bytes: AsyncIterable<Buffer>,
): Promise<{ readonly header: string; readonly bytes: AsyncGenerator<Buffer> }> {
  const source = bytes[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  let line = ''
  while (line === '' && read.length < MAX_HEADER_BYTES) {
    const next = await source.next()
    if (next.done === true) break
    read = Buffer.concat([read, next.value])
    line = firstLine(read)
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield read
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
  }
  return { header: line === '' ? read.subarray(0, MAX_HEADER_BYTES).toString('utf8') : line, bytes: whole() }
}

/** Empty: it does not end yet. */
function firstLine(read: Buffer): string {
  const text = read.toString('utf8').replace(/^\ufeff/, '')
  return /^\n*([^\n]+)\n/.exec(text)?.[1] ?? ''
}

/** The separator that a header has most of outside quotes; a comma where it has none. */
export function separatorOf(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '')
  const counts = SEPARATORS.map((separator) => bare.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}
