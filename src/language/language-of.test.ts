import { describe, expect, it } from 'vitest'
import { languageOf } from './language-of.ts'

it.each([
  ['en', 'The government said on Tuesday that talks would resume next week.'],
  ['de', 'Die Regierung teilte am Dienstag mit, dass die Gespräche nächste Woche fortgesetzt werden.'],
  ['fr', 'Le gouvernement a déclaré mardi que les discussions reprendraient la semaine prochaine.'],
  ['es', 'El gobierno dijo el martes que las conversaciones se reanudarán la próxima semana.'],
  ['ru', 'Правительство сообщило во вторник, что переговоры возобновятся на следующей неделе.'],
  ['zh', '政府星期二表示，会谈将于下周恢复。'],
  ['ja', '政府は火曜日、来週協議を再開すると発表した。'],
  ['ar', 'قالت الحكومة يوم الثلاثاء إن المحادثات ستستأنف الأسبوع المقبل.'],
  ['he', 'הממשלה הודיעה ביום שלישי כי השיחות יתחדשו בשבוע הבא.'],
  ['und', '12345 67890'],
  ['und', 'qwx zzk prt'],
  ['und', ''],
])('%s: %s', async (language, text) => {
  await expect(languageOf(text)).resolves.toBe(language)
})

describe('recognises a short headline', () => {
  it.each([
    ['cs', 'Vláda chce příští rok snížit daně'],
    ['sk', 'Vláda schválila nový zákon, ľudia protestujú'],
    ['da', 'Regeringen vil sænke skatten til næste år'],
    ['sv', 'Regeringen vill sänka skatten nästa år'],
    ['fi', 'Hallitus laskee veroja ensi vuonna'],
    ['hr', 'Vlada želi smanjiti poreze sljedeće godine'],
    ['hu', 'A kormány jövőre csökkenti az adókat'],
    ['nl', 'Kabinet wil volgend jaar belasting verlagen'],
    ['pl', 'Rząd chce obniżyć podatki w przyszłym roku'],
    ['pt', 'Governo quer baixar os impostos no próximo ano'],
    ['ro', 'Guvernul vrea să scadă taxele anul viitor'],
    ['tr', 'Hükümet gelecek yıl vergileri düşürmek istiyor'],
    ['vi', 'Chính phủ muốn giảm thuế vào năm tới'],
    ['de', 'Merkel trifft Macron in Berlin'],
    ['fr', 'Macron en visite au Liban'],
    ['el', 'Μειώσεις φόρων'],
    ['he', 'הפחתת מסים'],
    ['th', 'ลดภาษี'],
    ['ko', '정부, 내년 세금 인하'],
    ['ja', '増税を延期'],
    ['zh', '政府减税'],
  ])('%s: %s', async (language, title) => {
    await expect(languageOf(title)).resolves.toBe(language)
  })
})

describe('recognises an English headline of names and short words', () => {
  it.each([
    'Tanker laden with Libyan rebel oil slips naval escort',
    'iTunes Festival Gets An Apple TV App',
    'Juan Pablo Galavis Raises Eyebrows on Twitter',
    "'Cosmos' dazzles in debut episode",
    'Chrysler Recalls 25250 Jeep Grand Cherokee, Dodge Durango SUVs',
    'Fannie Mae and Freddie Mac',
  ])('%s', async (title) => {
    await expect(languageOf(title)).resolves.toBe('en')
  })
})

describe('tells apart languages that are easily confused', () => {
  it.each([
    ['id', 'Polisi menangkap dua tersangka perampokan di Jakarta'],
    ['ms', 'Polis tahan dua suspek kerana rompakan di Kuala Lumpur'],
    ['uk', 'Уряд знизить податки у наступному році, заявив міністр'],
    ['be', 'Урад знізіць падаткі ў наступным годзе, заявіў міністр'],
    ['ru', 'Правительство снизит налоги в следующем году, заявил министр'],
    ['bg', 'Правителството ще намали данъците през следващата година'],
    ['hi', 'सरकार अगले साल करों में कटौती करेगी'],
    ['mr', 'सरकार पुढील वर्षी कर कमी करणार आहे'],
  ])('%s: %s', async (language, title) => {
    await expect(languageOf(title)).resolves.toBe(language)
  })
})

it.each([
  ['nl', 'Johnny English Strikes Again is een zwakke parodie met Rowan Atkinson'],
  ['sv', 'Rowan Atkinson medverkar i uppföljaren till Johnny English'],
  ['en', 'Carlo Rossi and Juan Pablo Galavis win the race in Monte Carlo'],
  ['zh', '演员 Rowan Atkinson 将出席 West Virginia 的活动'],
  ['ko', '배우 Rowan Atkinson, 다음 주 West Virginia 방문 예정'],
  ['en', 'President Xi Jinping (习近平) arrived in Moscow on Monday'],
])('%s in spite of foreign names: %s', async (language, title) => {
  await expect(languageOf(title)).resolves.toBe(language)
})

describe('the title', () => {
  const title = 'Die Regierung will die Steuern senken, sagte der Minister am Montag'

  it('counts if the body is short', async () => {
    await expect(languageOf('dpa', title)).resolves.toBe('de')
    await expect(languageOf('', title)).resolves.toBe('de')
  })

  it('does not count if the body is long', async () => {
    await expect(
      languageOf('The government said on Tuesday that talks would resume next week. '.repeat(5), title),
    ).resolves.toBe('en')
  })
})
