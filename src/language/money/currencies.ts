const table = (rows: string): ReadonlyMap<string, string> =>
  new Map(
    rows.split('\n').flatMap((row) => {
      const [code = '', ...names] = row.trim().split('|')
      return names.map((name) => [name, code] as const)
    }),
  )

/** Signs before an amount; the dollar and the yen sign alone are the American and the Japanese. */
export const SIGNS = table(`USD|$|US$|U.S.$
  CAD|C$|CA$|CAN$|Can$
  AUD|A$|AU$|AUD$
  NZD|NZ$
  HKD|HK$
  SGD|S$|SG$
  TWD|NT$
  BRL|R$
  MXN|MX$|Mex$
  EUR|€
  GBP|£|UK£
  JPY|¥|￥|JP¥
  CNY|CN¥|RMB
  INR|₹|Rs|Rs.|Re.
  NGN|₦
  RUB|₽
  KRW|₩
  TRY|₺
  ILS|₪|NIS
  VND|₫
  THB|฿
  UAH|₴
  PHP|₱
  GHS|₵|GH₵|GH¢
  KZT|₸
  MYR|RM
  IDR|Rp
  KES|KSh|Ksh|KSh.
  BDT|Tk|Tk.|৳
  CHF|SFr|Fr.`)

/** ISO 4217, before or after an amount. */
export const CODES =
  'USD EUR GBP JPY CNY INR CHF CAD AUD NZD HKD SGD SEK NOK DKK RUB BRL MXN ZAR KRW TRY ILS PLN CZK HUF NGN KES GHS EGP SAR AED QAR KWD PKR BDT LKR THB MYR IDR PHP VND TWD UAH ARS CLP COP PEN'.split(
    ' ',
  )

/** Words after an amount, with whose they are where the word alone does not say it. */
export const UNITS = table(`USD|dollar|dollars|US dollars|U.S. dollars|American dollars|US dollar|bucks
  CAD|Canadian dollars
  AUD|Australian dollars
  NZD|New Zealand dollars
  HKD|Hong Kong dollars
  SGD|Singapore dollars
  TWD|Taiwan dollars
  EUR|euro|euros
  GBP|pounds sterling|British pounds|quid
  JPY|yen
  CNY|yuan|renminbi
  INR|rupees|Indian rupees
  PKR|Pakistani rupees
  LKR|Sri Lankan rupees
  NPR|Nepali rupees|Nepalese rupees
  RUB|rubles|roubles|ruble|rouble
  MXN|Mexican pesos
  ARS|Argentine pesos
  CLP|Chilean pesos
  COP|Colombian pesos
  CUP|Cuban pesos
  PHP|Philippine pesos
  CHF|Swiss francs
  XOF|CFA francs
  KRW|South Korean won
  ZAR|rand
  NGN|naira
  GHS|cedis|Ghana cedis
  KES|Kenyan shillings|Kenya shillings
  UGX|Ugandan shillings|Uganda shillings
  TZS|Tanzanian shillings
  SAR|riyals|Saudi riyals
  QAR|Qatari riyals
  IRR|rials|Iranian rials
  AED|dirhams|UAE dirhams
  MAD|Moroccan dirhams
  IQD|Iraqi dinars
  KWD|Kuwaiti dinars
  JOD|Jordanian dinars
  THB|baht
  MYR|ringgit
  IDR|rupiah
  VND|Vietnamese dong
  UAH|hryvnia|hryvnias
  PLN|zloty|zlotys
  HUF|forints|forint
  TRY|Turkish lira|Turkish liras|lira
  EGP|Egyptian pounds
  ILS|shekels
  SEK|Swedish kronor|kronor|Swedish krona
  NOK|Norwegian kroner|Norwegian krone
  DKK|Danish kroner|Danish krone
  BRL|reais
  BDT|taka
  ETB|birr
  EUR|€`)

/** Also a weight and a verb: money only in millions and the like. */
export const LARGE_UNITS = table(`GBP|pounds
  KRW|won`)

/** A hundredth of what stands beside it. */
export const HUNDREDTHS = table(`USD|cents|cent|US cents|¢
  EUR|euro cents
  GBP|pence`)

/** What a number is multiplied by; single letters stand right behind it. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['k', 1e3],
  ['lakh', 1e5],
  ['lakhs', 1e5],
  ['million', 1e6],
  ['mn', 1e6],
  ['mln', 1e6],
  ['m', 1e6],
  ['crore', 1e7],
  ['crores', 1e7],
  ['billion', 1e9],
  ['bn', 1e9],
  ['b', 1e9],
  ['lakh crore', 1e12],
  ['trillion', 1e12],
  ['trn', 1e12],
  ['tn', 1e12],
  ['t', 1e12],
])
