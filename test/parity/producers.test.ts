import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canonicalUrl } from '../../src/events/canonical-url.ts'
import { articleId } from '../../src/events/ids.ts'
import { projectPath } from '../../src/config/project-path.ts'

const page = readFileSync(projectPath('docs/producers.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code ?? '')

const Vector = z.strictObject({
  namespace: z.string(),
  url: z.string().nullable(),
  text: z.string(),
  canonical_url: z.string().nullable(),
  article_id: z.string(),
})
const vectors = z.array(Vector).parse(JSON.parse(readFileSync(projectPath('docs/article-ids.json'), 'utf8')))
const python = spawnSync('python3', ['--version']).status === 0

describe('docs/producers.md', () => {
  it.each(vectors)('test vector: $namespace $url has the id $article_id', ({ namespace, url, text, ...expected }) => {
    const canonical = url === null ? null : canonicalUrl(url)

    expect({ canonical_url: canonical, article_id: articleId(namespace, canonical, text) }).toEqual(expected)
  })

  it('is correct in the rows of its table', () => {
    const rows = [...page.matchAll(/^\| (\S+) \| `(http\S+)` \| `(art_\w+)` \|$/gm)]

    expect(rows).toHaveLength(3)
    for (const [, namespace = '', url = '', id] of rows) expect(articleId(namespace, canonicalUrl(url), '')).toBe(id)
  })

  it.skipIf(!python)('is correct in its Python code for every test vector (needs python3)', () => {
    const [code = ''] = blocks('python')
    const script = `${code}\nimport json, sys\nprint(json.dumps([article_id(v["namespace"], v["url"], v["text"]) for v in json.load(sys.stdin)]))`

    const answer = execFileSync('python3', ['-c', script], { input: JSON.stringify(vectors), encoding: 'utf8' })

    expect(JSON.parse(answer)).toEqual(vectors.map(({ article_id }) => article_id))
  })

  it('is correct in its TypeScript code for the record key', () => {
    const [code = ''] = blocks('ts')
    const [, url = ''] = /url: '([^']+)'/.exec(code) ?? []

    expect(code).toContain(`key: '${articleId('shared', canonicalUrl(url), '')}'`)
  })
})
