import type { Command } from 'commander'
import { DESCRIBED_LIMITS, describedRoutes } from '../api/described-routes.ts'
import { apiDocument } from '../api/docs/openapi.ts'
import { version } from '../config/version.ts'
import type { Wiring } from '../ports/wiring.ts'

/** The text of docs/openapi.json. */
export const openApiText = (): string =>
  JSON.stringify(apiDocument(describedRoutes(version), { version, limits: DESCRIBED_LIMITS }), null, 2)

export const openApiCommand = (program: Command, { out }: Wiring): void => {
  program
    .command('openapi')
    .description('print the OpenAPI document of the API (the content of docs/openapi.json)')
    .action(() => out.line(openApiText()))
}
