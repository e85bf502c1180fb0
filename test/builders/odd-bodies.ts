import fc from 'fast-check'
import { characters, MAX_FIELD_CHARACTERS } from '../../src/domain/intake/articles.ts'
import { A_REPORT } from './articles.ts'

/** A request that submits something, or hardly anything: the body as it goes over the wire. */
export interface OddRequest {
  readonly path: '/layer0/v1/process' | '/layer0/v1/process/batch'
  readonly body: string
}

const ODD_CHARACTERS = [
  '\u0000',
  '\u0007',
  '\u00ad',
  '\u200b',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '\uffff',
  '\ud800',
  '\udfff',
  '\u0301'.repeat(40),
  '👩‍👩‍👧‍👦',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  'ﷺ',
  'ﬃ',
  'İıſ',
  'اردو خبر',
  'ข่าวด่วน',
  '新聞。報道！',
  '\r\n\r\n\t',
  '&#0;&#xD800;&#1114112;&nbsp;&bogus;',
  '<!--',
  '<![CDATA[',
  '<script>',
  '<p><b><i>',
  '</div>',
  '<a href="',
  '{{7*7}}',
  "'; DROP TABLE articles; --",
  '%00%ff%2e%2e',
  '\\u0000\\',
  '-'.repeat(120),
  'A'.repeat(1_500),
  'http://a.example/b ',
  '“quoted” ‘said’ — he’d',
  '(CNN) — ',
]

const oddText = fc
  .array(fc.oneof(fc.constantFrom(...ODD_CHARACTERS), fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 12 })
  .map((parts) => parts.join(''))

/** As an outlet writes, with oddities in it. */
const nearNews = fc
  .tuple(fc.constantFrom(...A_REPORT.split('\n\n'), A_REPORT), oddText, fc.constantFrom('\n\n', ' ', ''))
  .map(([report, odd, between]) => `${report}${between}${odd}`)

/** So many of one character: around each limit. */
const lengths = (most: number) =>
  fc
    .tuple(fc.constantFrom(0, 1, most - 1, most, most + 1), fc.constantFrom('x', 'é', '🎉', ' x', 'x\u0000'))
    .map(([length, unit]) => unit.repeat(Math.ceil(length / characters(unit))))

const atTextLimits = fc.oneof({ weight: 60, arbitrary: lengths(100) }, { weight: 1, arbitrary: lengths(200_000) })

const inMarkup = fc
  .tuple(fc.constantFrom('p', 'div', 'script', 'td', 'a href="x"', 'b'), nearNews, fc.integer({ min: 1, max: 60 }))
  .map(([tag, text, depth]) => `<${tag}>`.repeat(depth) + text + `</${tag.split(' ')[0] ?? ''}>`.repeat(depth))

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(null, '', ' ', 0, -0, 1e308, Number.MAX_SAFE_INTEGER + 1, true, [], {}),
)

const urls = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  oddText.map((text) => `https://example.com/${text}`),
  oddText.map((text) => `https://${text}.example.com/?q=${text}`),
  fc.constantFrom(
    'https://',
    'https://[::1]:99999/',
    'https://exa mple.com',
    'HTTPS://EXAMPLE.COM:443/../..//?utm_source=x&&=&a',
    'https://user:pass@example.com/%E0%A4%A',
    'https://例え.テスト/ニュース',
    'https://xn--/',
    'http://0x7f.1/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//example.com/a',
    `https://example.com/?${'a=1&'.repeat(2_000)}`,
  ),
  lengths(MAX_FIELD_CHARACTERS.url - 20).map((text) => `https://example.com/${text}`),
)

const dates = fc.oneof(
  fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString())),
  fc.constantFrom(
    '2016-02-30',
    '2016-05-03T24:00:00',
    '2016-05-03T23:59:60Z',
    '0000-01-01',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01',
    '1899-12-31T23:59:59Z',
    '2299-12-31T23:59:59.999999999Z',
    '2016-05-03T10:00:00+23:59',
    '2016-05-03T10:00:00+99:99',
    '２０１６-05-03',
    'yesterday',
  ),
)

const field = (most: number) =>
  fc.oneof(
    { weight: 6, arbitrary: oddText },
    { weight: 2, arbitrary: anything },
    { weight: 1, arbitrary: lengths(most) },
  )

const metadata = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        title: field(MAX_FIELD_CHARACTERS.title),
        source: field(MAX_FIELD_CHARACTERS.source),
        author: field(MAX_FIELD_CHARACTERS.author),
        url: fc.oneof({ weight: 6, arbitrary: urls }, { weight: 1, arbitrary: anything }),
        published_date: fc.oneof({ weight: 6, arbitrary: dates }, { weight: 1, arbitrary: anything }),
        extra: anything,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: anything },
)

const text = fc.oneof(
  { weight: 8, arbitrary: nearNews },
  { weight: 3, arbitrary: inMarkup },
  { weight: 3, arbitrary: oddText },
  { weight: 3, arbitrary: atTextLimits },
  { weight: 1, arbitrary: anything },
)

/** An article, more or less. Half of them are right but for their odd text, so that most of the pipeline is met. */
const oddArticle: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ text }),
  fc.record({ text: nearNews, metadata: fc.record({ title: oddText, source: oddText, author: oddText }) }),
  fc.record({ text, metadata }),
)

/** The same with every type right: a batch with one wrong type is refused whole. */
export const rightlyTypedArticle: fc.Arbitrary<unknown> = fc.record({
  text: fc.oneof({ weight: 4, arbitrary: nearNews }, inMarkup, oddText, atTextLimits),
  metadata: fc.record(
    {
      title: fc.oneof({ weight: 9, arbitrary: oddText }, lengths(MAX_FIELD_CHARACTERS.title)),
      source: oddText,
      author: fc.option(oddText),
      url: fc.oneof({ weight: 1, arbitrary: urls }, { weight: 1, arbitrary: fc.webUrl() }),
      published_date: fc.oneof(dates, fc.constant('2016-05-03')),
    },
    { requiredKeys: [] },
  ),
})

/** What JSON.stringify never writes. */
const rawBody = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => `{"text":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
  fc.constantFrom(
    '',
    '{"text":1e400}',
    `{"text":${'9'.repeat(5_000)}}`,
    `{"__proto__":{"text":${JSON.stringify(A_REPORT)}}}`,
    `{"text":${JSON.stringify(A_REPORT)},"metadata":{"__proto__":{"url":"x"},"constructor":{"prototype":{}}}}`,
    `{"text":${JSON.stringify(A_REPORT)},"text":"short"}`,
    `{"text":${JSON.stringify(A_REPORT)},"toString":1,"hasOwnProperty":null}`,
    `\ufeff{"text":${JSON.stringify(A_REPORT)}}`,
    `{"text":"${'\\ud83d'.repeat(120)}"}`,
    `{"articles":{"length":3}}`,
    `{"articles":[${'null,'.repeat(60)}null]}`,
  ),
)

const toText = (value: unknown): string => JSON.stringify(value)

export const oddRequest: fc.Arbitrary<OddRequest> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ path: fc.constant('/layer0/v1/process' as const), body: oddArticle.map(toText) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      path: fc.constant('/layer0/v1/process/batch' as const),
      body: fc.array(oddArticle, { maxLength: 4 }).map((articles) => toText({ articles })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      path: fc.constantFrom('/layer0/v1/process' as const, '/layer0/v1/process/batch' as const),
      body: fc.oneof(rawBody, anything.map(toText)),
    }),
  },
)
