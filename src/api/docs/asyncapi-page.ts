import { z } from 'zod'
import type { AsyncDocument, Audience } from './asyncapi-document.ts'

const Field = z.looseObject({
  name: z.string(),
  type: z.unknown(),
  doc: z.string().default(''),
  default: z.unknown().optional(),
})
type Field = z.output<typeof Field>

const HEADINGS: Readonly<Record<Audience, string>> = {
  producers: 'For producers: clients with access may write to these topics',
  readers: 'For readers: clients with access may consume these topics',
  internal: "Internal: the service's own state",
}

export const EVENTS_STYLE = `body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222; background: #fff; }
h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; }
h3 { margin-top: 2rem; font-family: ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { border-top: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
code, td:nth-child(-n + 2) { font-family: ui-monospace, monospace; font-size: 13px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } a { color: #8bf; } th, td { border-color: #444; } }
`

/** The AsyncAPI document as a page without scripts. */
export function eventsPage(document: AsyncDocument): string {
  const channels = Object.values(document.channels)
  const groups = (['producers', 'readers', 'internal'] as const).map((audience) => {
    const here = channels.filter((channel) => channel['x-audience'] === audience)
    return `<h2>${HEADINGS[audience]}</h2>\n${here.map((channel) => section(document, channel)).join('\n')}`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(document.info.title)}</title>
<link rel="icon" type="image/png" href="favicon-32x32.png">
<link rel="stylesheet" href="events.css">
</head>
<body>
<h1>${text(document.info.title)}</h1>
<p>As data: <a href="../asyncapi.json">asyncapi.json</a> (AsyncAPI ${document.asyncapi}). The HTTP API: <a href=".">reference</a>.</p>
${document.info.description
  .split('\n\n')
  .map((part) => `<p>${marked(part)}</p>`)
  .join('\n')}
${groups.join('\n')}
</body>
</html>
`
}

type Channel = AsyncDocument['channels'][string]

function section({ components, operations }: AsyncDocument, channel: Channel): string {
  const parts = Object.values(operations)
    .map((one) => Operation.parse(one))
    .filter(({ channel: { $ref } }) => $ref === `#/channels/${channel.address}`)
  const names = (action: string): string =>
    parts.flatMap((one) => (one.action === action ? [`<code>${text(one['x-part'])}</code>`] : [])).join(', ')
  const messages = Object.keys(channel.messages).flatMap((name) => components.messages[name] ?? [])
  return `<h3 id="${text(channel.address)}">${text(channel.address)}</h3>
<p>${marked(channel.summary)}. ${marked(channel.description)}</p>
<dl><dt>Written by</dt><dd>${names('send')}</dd><dt>Read by</dt><dd>${names('receive')}</dd>
<dt>Partitions</dt><dd>${channel.bindings.kafka.partitions} in production, 1 without Docker</dd></dl>
${messages.map(({ name, summary, payload }) => table({ name, summary, fields: payload.schema.fields })).join('\n')}`
}

const Operation = z.looseObject({ action: z.string(), channel: z.object({ $ref: z.string() }), 'x-part': z.string() })

const table = ({ name, summary, fields }: { name: string; summary: string; fields: readonly unknown[] }): string =>
  `<p><code>${text(name)}</code>: ${marked(summary)}</p>
<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${fields.map((field) => row(Field.parse(field))).join('\n')}
</tbody></table>`

const row = (field: Field): string => {
  const byDefault = 'default' in field ? ` Default: <code>${text(JSON.stringify(field.default))}</code>.` : ''
  return `<tr><td>${text(field.name)}</td><td>${text(typeName(field.type))}</td><td>${marked(field.doc)}${byDefault}</td></tr>`
}

const Complex = z.looseObject({
  type: z.unknown(),
  name: z.string().optional(),
  logicalType: z.string().optional(),
  items: z.unknown().optional(),
  values: z.unknown().optional(),
})

/** An Avro type as one line: `array of Mention`, `timestamp-millis or null`. */
function typeName(type: unknown): string {
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return nullLast(type).map(typeName).join(' or ')
  const { type: kind, name, logicalType, items, values } = Complex.parse(type)
  if (items !== undefined) return `array of ${typeName(items)}`
  if (values !== undefined) return `map of ${typeName(values)}`
  return logicalType ?? name ?? typeName(kind)
}

const nullLast = (union: readonly unknown[]): readonly unknown[] => [
  ...union.filter((one) => one !== 'null'),
  ...union.filter((one) => one === 'null'),
]

const text = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Renders the subset of Markdown that the descriptions use. */
const marked = (raw: string): string =>
  text(raw)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
