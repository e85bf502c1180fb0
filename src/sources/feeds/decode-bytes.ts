import { TextDecoder } from 'node:util'

/** A document's text: by the charset of the answer, of a byte order mark, or of its own first line; else UTF-8. */
export function decoded(body: Buffer, contentType: string | undefined): string {
  const named = /charset=["']?([\w-]+)/i.exec(contentType ?? '')?.[1]
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(body.subarray(0, 200).toString('latin1'))?.[1]
  return decoderOf(marked(body) ?? named ?? declared ?? 'utf-8').decode(body)
}

const marked = (body: Buffer): string | null =>
  body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : null

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8') // a charset nobody knows
  }
}
