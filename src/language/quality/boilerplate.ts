/** Sentences that are about the page, not about the world; or that sell. A page made of them reports nothing. */
const PHRASES = [
  'cookies?\\b',
  'javascript',
  'ad.?blocker',
  'privacy (?:policy|notice|settings)',
  'terms (?:of (?:use|service)|and conditions)',
  'all rights reserved',
  'subscri(?:be|ber|bers|ption) (?:now|today|to|for|only|required)',
  'your subscription',
  'free articles',
  'unlimited access',
  'cancel (?:at )?any ?time',
  'already a (?:subscriber|member)',
  '(?:sign|log) ?(?:in|up) (?:to|for|or|with|now)',
  'create (?:a|your) (?:free )?account',
  'free trial',
  'continue reading',
  'newsletter',
  'unsubscribe',
  'click (?:here|the link|below)',
  '(?:share|follow us) on (?:facebook|twitter|instagram|x)\\b',
  'page (?:not found|you (?:are|were) looking for|could not be found)',
  'enable (?:cookies|javascript)',
  'your browser',
  '(?:buy|order|shop|call|act|apply|register|book|download) (?:it )?now',
  'limited.time (?:offer|only)',
  'free (?:shipping|delivery|quote|bonus|spins)',
  'money.back',
  'satisfaction guaranteed',
  '100 ?% (?:free|guaranteed|natural|legal)',
  '(?:best|lowest|cheapest|unbeatable) (?:price|prices|deal|deals)',
  'promo(?:tional)? code',
  'discount code',
  'no credit check',
  'work from home',
  'make money (?:online|fast|from)',
  'add to (?:cart|basket|wishlist)',
  'in stock',
  'visit our (?:website|site|store|shop|page)',
]

const BOILERPLATE = new RegExp(`\\b(?:${PHRASES.join('|')})`, 'iu')

export const isBoilerplate = (sentence: string): boolean => BOILERPLATE.test(sentence)

const PLACEHOLDERS = new Set(
  (
    'lorem ipsum dolor amet consectetur consectetuer adipiscing adipisicing elit sed eiusmod tempor incididunt labore ' +
    'magna aliqua veniam quis nostrud exercitation ullamco laboris nisi aliquip commodo consequat aute irure ' +
    'reprehenderit voluptate velit cillum fugiat nulla pariatur excepteur sint occaecat cupidatat proident culpa ' +
    'officia deserunt mollit anim laborum vestibulum curabitur pellentesque mauris vivamus'
  ).split(' '),
)

/** Printer's filler: more than a tenth of a whole text's words come from one famous page of Latin. */
export function isPlaceholder(words: readonly string[]): boolean {
  const filler = words.reduce((sum, word) => sum + (PLACEHOLDERS.has(word) ? 1 : 0), 0)
  return filler > 0.1 * words.length
}
