import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { folderRefusal } from '../open-source.ts'

/** A larger document is broken, or not a feed. */
export const MAX_FEED_BYTES = 20 * 1024 * 1024

/** A file that the user names: a pipe or a device is the user's choice, a folder holds no feed. */
export async function readNamedFile(path: string): Promise<Buffer> {
  return readBounded(path, constants.O_RDONLY, 'any file').catch(sayMissing)
}

/**
 * A file that a list names: a regular file in the folder of the list or below it, after symbolic links are resolved. It is
 * opened without blocking, because a pipe would otherwise wait for a writer.
 */
export async function readListedFile(list: string, entry: string): Promise<Buffer> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(entry)) throw new Error('refused: neither an http(s) address nor a path')
  const folder = dirname(await realpath(list))
  const path = await realpath(resolve(folder, entry)).catch(sayMissing)
  if (!isBelow(folder, path)) throw new Error(`refused: outside the folder of the list (${folder})`)
  return readBounded(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, 'regular file')
}

function sayMissing(cause: unknown): never {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') throw new Error('no such file', { cause })
  throw cause
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

async function readBounded(path: string, flags: number, takes: 'any file' | 'regular file'): Promise<Buffer> {
  const file = await open(path, flags)
  try {
    const found = await file.stat()
    if (found.isDirectory()) throw folderRefusal(path, 'xml')
    if (takes === 'regular file' && !found.isFile()) throw new Error('refused: not a regular file')
    const parts: Buffer[] = []
    let bytes = 0
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      const part = Buffer.from(chunk as Buffer)
      bytes += part.length
      if (bytes > MAX_FEED_BYTES) throw new Error(`more than ${MAX_FEED_BYTES} bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts)
  } finally {
    await file.close()
  }
}
