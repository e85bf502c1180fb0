import type { Command } from 'commander'
import { asyncDocument } from '../api/docs/asyncapi-document.ts'
import { version } from '../config/version.ts'
import type { Wiring } from '../ports/wiring.ts'

/** The text of docs/asyncapi.json. */
export const asyncApiText = (): string => JSON.stringify(asyncDocument(version), null, 2)

export const asyncApiCommand = (program: Command, { out }: Wiring): void => {
  program
    .command('asyncapi')
    .description('print the AsyncAPI document of the topics (the content of docs/asyncapi.json)')
    .action(() => out.line(asyncApiText()))
}
