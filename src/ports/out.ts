/** What a command says: answers on stdout, progress on stderr. */
export interface Out {
  /** One line of the answer. */
  line(text: string): void
  /** The answer as one JSON line. */
  json(value: unknown): void
  /** A passing word on long work, on stderr; replaced in place on a terminal. */
  progress(text: string): void
}

export function standardOut(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Out {
  return {
    line: (text) => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    progress: (text) => void stderr.write(stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`),
  }
}
