import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EVENTS_STYLE } from './asyncapi-page.ts'
import { page, type DocPage } from '../http/page.ts'

/** Resources are only loaded from the page's own origin. Swagger UI sets inline styles, and its icons are data URLs. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const EVENTS_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** URLs are relative, so that the page works behind any proxy, with or without a prefix. */
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

/** Sends calls from the page to its own origin and path prefix. */
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

/** Content type and bytes by file name. The files of Swagger UI come from its package. */
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

/** The assets of the pages, each read on first use. Returns `undefined` for an unknown name. */
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
