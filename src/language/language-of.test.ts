import { expect, it } from 'vitest'
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
])('%s: %s', (language, text) => {
  expect(languageOf(text)).toBe(language)
})
