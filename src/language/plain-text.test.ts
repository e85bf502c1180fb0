import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../test/builders/cpu.ts'
import { plainLine, plainText } from './plain-text.ts'

describe('mark-up goes, text stays', () => {
  it.each([
    [
      'paragraphs and entities',
      '<p>Tom &amp; Jerry&nbsp;went\n home</p><p>Then they slept.</p>',
      'Tom & Jerry went home\n\nThen they slept.',
    ],
    ['a list', '<ul><li>One<li>Two</ul>', 'One\n\nTwo'],
    [
      'scripts, styles, buttons',
      'Start<script>var a = "<p>"</script><style>p{}</style><button>Share</button><p>End</p>',
      'Start\n\nEnd',
    ],
    ['line breaks', '<div>One<br>Two<br/>Three</div>', 'One\nTwo\nThree'],
    ['comments', '<p>Seen<!-- unseen --></p>', 'Seen'],
    [
      'a few inline tags in plain paragraphs',
      'First <b>bold</b> line.\n\nSecond <a href="x">line</a>.',
      'First bold line.\n\nSecond line.',
    ],
    ['escaped mark-up in plain text', '5 &lt; 6 &amp; 7 &gt; 6', '5 < 6 & 7 > 6'],
  ])('%s', (_, given, expected) => {
    expect(plainText(given)).toBe(expected)
  })

  it.each(['a < b and c > d, x<y, I <3 you', 'x <-- y --> z', 'if (a<b) print a', '?a=1&copy=2', 'R&D at AT&T'])(
    'leaves plain text alone: %s',
    (given) => {
      expect(plainText(given)).toBe(given)
    },
  )

  it('removes NUL, control characters and halves of surrogate pairs, and keeps emoji and right-to-left text', () => {
    expect(plainText('a\u0000b\u0007 \ud83d! 👩‍👩‍👧 שלום عالم \udc00\ufeff')).toBe('ab ! 👩‍👩‍👧 שלום عالم')
  })

  it('makes one line of a title', () => {
    expect(plainLine(' <b>Bridge</b>\n to &quot;close&quot; ')).toBe('Bridge to "close"')
  })
})

it('gives trimmed text without control characters, and the same again when asked again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
      const once = plainText(given)
      expect(once).toBe(once.trim())
      expect(once).not.toMatch(/[\u0000-\u0008\p{Cs}]/u)
      if (!/[<&]/.test(given)) expect(plainText(once)).toBe(once)
    }),
  )
})

it('reads 200,000 hostile characters in bounded time', () => {
  const hostile = ['<', '<p', '<a ', '&', ' ', '\n ', '<p a="', '<!--', '<p><!--', '<p>', '<b>', '&amp', '<b></i>']
  const took = hostile.map((unit) => leastCpuMs(() => plainText(unit.repeat(200_000 / unit.length)), 3_000))

  expect(Math.max(...took)).toBeLessThan(3_000)
}, 60_000)
