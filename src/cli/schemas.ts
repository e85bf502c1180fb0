import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ourSchemas, registerOurSchemas } from '../operations/topics.ts'
import { projectPath } from '../config/project-path.ts'
import { schemaProblems, type SchemaProblem, type TopicSchema } from '../config/schemas.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

export const schemasCommand = (program: Command, wiring: Wiring): void => {
  const schemas = program.command('schemas').description('manage the Avro schemas of the topics (schemas/*.avsc)')
  schemas
    .command('check')
    .description('check that all fields are documented, all versions are compatible and all changes are recorded')
    .option('--json', 'print one JSON object')
    .action(({ json }: CommandOptions) => check(wiring, json === true))
  schemas
    .command('record')
    .description('record changed schemas as their next version in schemas/history')
    .option('--dry-run', 'print which schemas, change nothing')
    .action(({ dryRun }: CommandOptions) => record(wiring, dryRun === true))
  schemas
    .command('register')
    .description('register the schemas with compatibility FULL_TRANSITIVE')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print which schemas, change nothing')
    .action((options: CommandOptions) => register(wiring, options))
}

function check({ out }: Wiring, json: boolean): void {
  const schemas = ourSchemas()
  const problems = schemas.flatMap(schemaProblems)
  if (json) out.json({ checked: schemas.length, problems })
  else if (problems.length === 0) out.line(`${schemas.length} schemas are documented, recorded and compatible.`)
  if (problems.length > 0) throw new Error(problems.map(problemLine).join('\n'))
}

function problemLine(problem: SchemaProblem): string {
  switch (problem.kind) {
    case 'unrecorded':
      return `${problem.topic}: changed but not recorded. To record the change: story schemas record`
    case 'incompatible':
      return `${problem.topic}: incompatible with version ${problem.version}: ${problem.cause}`
    case 'undocumented':
      return `${problem.topic}: ${problem.field} has no doc`
  }
}

function record({ out }: Wiring, dryRun: boolean): void {
  const schemas = ourSchemas()
  const problems = schemas.flatMap(schemaProblems)
  const others = problems.filter(({ kind }) => kind !== 'unrecorded')
  if (others.length > 0) throw new Error(others.map(problemLine).join('\n'))

  const topics = new Set(problems.map(({ topic }) => topic))
  for (const schema of schemas.filter(({ topic }) => topics.has(topic))) {
    if (!dryRun) write(schema)
    out.line(`${schema.topic} version ${schema.history.length + 1}${dryRun ? ' would be recorded' : ''}`)
  }
}

function write({ topic, text, history }: TopicSchema): void {
  const folder = projectPath(join('schemas', 'history', topic))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${history.length + 1}.avsc`), text)
}

async function register({ config, out }: Wiring, { json, dryRun }: CommandOptions): Promise<void> {
  const registered = dryRun ? [] : await registerOurSchemas(config)
  if (json) out.json({ registered })
  else if (dryRun) ourSchemas().forEach(({ topic }) => out.line(`${topic} would be registered`))
  else registered.forEach(({ subject, id }) => out.line(`${subject} ${id}`))
}
