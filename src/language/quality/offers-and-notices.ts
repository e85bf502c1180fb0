const words = (list: string): readonly string[] => list.trim().split(/\s+/u)
const phrases = (list: string): readonly string[] => list.split(/[|\n]/u).map((phrase) => phrase.trim())

/**
 * English of pages that sell, and that speak of themselves: cookie walls, paywalls, errors, menus. Compiled by hand for
 * this project; a word or pair stands here only if one sentence of news in five thousand or fewer has it (AllSides, page
 * furniture apart). Everyday words of trade, such as "fee" or "account", are none of them.
 */
export const SELDOM_IN_NEWS = words(`
  javascript cookies captcha login logins unsubscribe checkout newsletter newsletters inbox sitemap faq faqs homepage
  webmaster browser adblock wishlist cashback promo coupon coupons jackpot spins roulette blackjack viagra cialis
  tadalafil garcinia backlinks seo presale airdrop apy payday refinance warranty refundable non-refundable
  merchantability licensor licensee sublicense hereby hereunder thereof addressee singles wagering unbeatable
  clinically rrp capsules cravings 403 404 502 503 dns timeout geolocation username identifiers
  paywalled oops whoops spam`)

/** The house and its reader. */
export const OWNERS = words('your our')
/** What only shops and pages own: "your account", "our partners". */
export const OWNED = words(`
  account accounts browser settings preferences choices consent inbox e-mail email mailbox subscription trial password
  username profile order orders cart basket purchase payment membership login device website site page pages newsletter
  newsletters app policy terms partners vendors services products catalogue customers clients experts specialists
  packages range shop cookies data details bonus deposit prize winnings loan application traffic rankings wallet
  adviser request screen url network administrator archive notifications registration
  plan choices permission mailing engineers pass privacy profile visit experience reading`)

/** What a page asks its reader to do, as a sentence's first word or after "please". */
export const COMMANDS = words(`
  click subscribe enable log sign register buy order shop download enter create upgrade unlock discover join refresh
  reload enjoy claim verify confirm activate hurry deposit spin invest submit disable browse contact visit apply
  accept cancel select forgot reset forward rate manage checking`)

export const PAIRS = phrases(`click here|click below|click the|sign up|sign in|log in|log out|logged in|free trial
  free shipping|free delivery|free spins|free quote|free gift|free articles|free article|free account|limited time
  money back|money-back guarantee|satisfaction guaranteed|terms apply|rights reserved|all rights|privacy policy
  privacy notice|privacy settings|cookie policy|cookie settings|cookie preferences|cookie notice|you agree|you accept
  you consent|we use|use cookies|this site|this website|this page|page not|not found|a subscriber
  subscribers only|continue reading|keep reading|full access|unlimited access|digital access|try again|server error
  internal server|access denied|bad gateway|gateway timeout|try refreshing|buy now|order now|shop now|call now|apply now
  act now|register now|join now|download now|subscribe now|play now|today only|in stock|no obligation|credit check
  best price|best prices|lowest prices|low prices|special offer|special offers|great deals|best deals|exclusive offers
  latest offers|welcome bonus|to basket|to cart|ad blocker|web browser|main menu|skip to|more stories|read more
  related articles|share this|follow us|contact us|email us|e-mail us|call us|visit us|about us|we offer|we accept
  we deliver|we ship|we guarantee|we collect|we apologise|we apologize|any inconvenience
  this content|this resource|by clicking|you allow|members only|premium users|whenever you
  been notified|session expired|be broken|opt out|opted in|one click|half price|members can|upgrade to
  upgrading your|requested does|went wrong|timed out|the administrator|in again|this e-mail
  this mail|and cookies|marketing cookies|cookies are|cookies help|necessary cookies|ad measurement|the password
  been removed|been moved|been deleted|security check|home page|box above|page navigation|allowed memory`)
