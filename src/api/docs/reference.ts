import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EVENTS_STYLE } from './asyncapi-page.ts'
import { page, type DocPage } from '../http/page.ts'

/** Nothing is loaded but from where the page came. Swagger UI sets styles of elements; its icons are data addresses. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const EVENTS_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Addresses are relative, so that the page works behind any proxy, with or without a prefix. */
export const REFERENCE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Story Intelligence Service: API reference</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<p>The topics behind it: <a href="docs/events">events</a>. As data: <a href="openapi.json">openapi.json</a>,
<a href="asyncapi.json">asyncapi.json</a>.</p>
<div id="reference"></div>
<noscript>This page needs JavaScript; <a href="openapi.json">openapi.json</a> does not.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** Calls made from the page go to where it came from, whatever stands before the address. */
const START = `const here = new URL('.', location.href)
fetch(new URL('openapi.json', here))
  .then((answer) => answer.json())
  .then((spec) => {
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: here.pathname.replace(/\\/$/, '') || '/' }] },
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
    })
  })
`

const JAVASCRIPT = 'text/javascript; charset=utf-8'
const CSS = 'text/css; charset=utf-8'

/** Name to content type and bytes; those of Swagger UI lie in its package. */
const ASSETS: Readonly<Record<string, readonly [type: string, bytes: () => Buffer]>> = {
  'swagger-ui.css': [CSS, () => ofSwaggerUi('swagger-ui.css')],
  'swagger-ui-bundle.js': [JAVASCRIPT, () => ofSwaggerUi('swagger-ui-bundle.js')],
  'favicon-32x32.png': ['image/png', () => ofSwaggerUi('favicon-32x32.png')],
  'start.js': [JAVASCRIPT, () => Buffer.from(START)],
  'events.css': [CSS, () => Buffer.from(EVENTS_STYLE)],
}

const require = createRequire(import.meta.url)
const ofSwaggerUi = (file: string): Buffer =>
  readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), file))

/** What the pages load, each read when it is first asked for. Undefined: no page names it. */
export function assets(): (name: string) => DocPage | undefined {
  const read = new Map<string, DocPage>()
  return (name) => {
    const known = read.get(name)
    if (known !== undefined) return known
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined
    if (asset === undefined) return undefined
    const made = page({ type: asset[0], bytes: asset[1]() })
    read.set(name, made)
    return made
  }
}
