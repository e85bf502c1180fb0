import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { projectPath } from '../../src/config/project-path.ts'

const page = readFileSync(projectPath('docs/webhooks.md'), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const BODY = '{"type":"webhook.test","data":{"title":"Ü"}}'
const OF_ANOTHER = Buffer.alloc(32).toString('base64')
const python = spawnSync('python3', ['--version']).status === 0

/** By Standard Webhooks: base64 of HMAC-SHA256 over id, seconds and body. */
function signed(secret: string, body: string, seconds = Math.floor(Date.now() / 1_000)) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`evt_a.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': 'evt_a',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${OF_ANOTHER} v1,${signature}`,
  }
}

/** Calls `verified` of a page's example; `null` if it threw. */
const inPython = (body: string, headers: object): unknown => {
  const ask = `import sys\ngiven = json.load(sys.stdin)\nprint(json.dumps(verified(given["secret"], given["body"].encode(), given["headers"])))`
  return run('python3', ['-c', `${block('python')}\n${ask}`], { secret: SECRET, body, headers })
}

const inTypeScript = (body: string, headers: object): unknown => {
  const ask = `\nimport { readFileSync } from 'node:fs'\nconst given = JSON.parse(readFileSync(0, 'utf8'))\nconsole.log(JSON.stringify(verified(given.secret, given.body, given.headers)))`
  const { outputText } = ts.transpileModule(block('ts') + ask, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  })
  return run(process.execPath, ['--input-type=module', '-e', outputText], { secret: SECRET, body, headers })
}

function run(command: string, args: readonly string[], given: object): unknown {
  try {
    const input = JSON.stringify(given)
    return JSON.parse(
      execFileSync(command, args, {
        input,
        encoding: 'utf8',
        cwd: projectPath('.'),
        stdio: ['pipe', 'pipe', 'ignore'],
      }),
    )
  } catch {
    return null
  }
}

describe.each([
  ['Python (needs python3)', inPython, python],
  ['TypeScript', inTypeScript, true],
])('the %s code in docs/webhooks.md', (_, verified, there) => {
  it.skipIf(!there)('accepts a valid signature among several', () => {
    expect(verified(BODY, signed(SECRET, BODY))).toEqual(JSON.parse(BODY))
  })

  it.skipIf(!there)('rejects another body, another secret and an old delivery', () => {
    const ofAnother = signed('whsec_Zb0IhBGZ8kq1yYbKJ0dQm3o0TtXv5c2P', BODY)

    expect(verified(BODY.replace('Ü', 'U'), signed(SECRET, BODY))).toBeNull()
    expect(verified(BODY, ofAnother)).toBeNull()
    expect(verified(BODY, signed(SECRET, BODY, Math.floor(Date.now() / 1_000) - 600))).toBeNull()
  })
})
