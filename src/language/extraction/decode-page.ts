import { TextDecoder } from 'node:util'
import sniffHTMLEncoding from 'html-encoding-sniffer'

/**
 * Decodes a page as the HTML standard does: by the byte order mark, the charset of the `content-type` header, or that of a
 * `meta` element in the first 1,024 bytes. Without them it is UTF-8, or windows-1252 if the bytes are not valid UTF-8. So
 * is a page whose bytes are not those of the declared UTF-8.
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const declared = sniffHTMLEncoding(bytes, {
    transportLayerEncodingLabel: charsetOf(contentType),
    defaultEncoding: 'UTF-8',
  })
  if (declared.toLowerCase() !== 'utf-8') return decoded(bytes, declared)
  return validUtf8(bytes) ?? decoded(bytes, undeclaredFallback(bytes))
}

const charsetOf = (contentType: string | null): string =>
  /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? ''

function validUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** A page with a few broken characters is still UTF-8; in windows-1252 most bytes above ASCII are invalid UTF-8. */
function undeclaredFallback(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, SAMPLE_BYTES))
  const broken = text.split('\ufffd').length - 1
  const valid = text.match(/[\u0080-\ufffc]/g)?.length ?? 0
  return broken > valid ? 'windows-1252' : 'utf-8'
}

const SAMPLE_BYTES = 262_144

/** An encoding that this Node does not have is read as UTF-8. */
function decoded(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'windows-1252') return windows1252(bytes)
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder('utf-8').decode(bytes)
  }
}

/** Some versions of Node decode windows-1252 as ISO 8859-1, which has control characters here. */
const C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const windows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => C1.charAt(character.charCodeAt(0) - 0x80))
