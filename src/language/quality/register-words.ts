const words = (list: string): readonly string[] => list.trim().split(/\s+/u)

/**
 * Words that show who speaks to whom. Compiled by hand for this project from general knowledge of the languages; what
 * the English ones separate was measured on news (see the README beside this file).
 */

/** Speaks to the reader, or for the house. */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  en: words(`you your yours yourself yourselves you're you'll you've you'd we our ours us we're we'll we've i i'm i've i'd
    i'll my mine me myself let's dear please hello hi thanks kindly`),
  de: words(
    'ihnen ihrem ihren wir unser unsere unserem unseren unserer uns du dein deine dir dich ich mein meine bitte jetzt',
  ),
  fr: words('vous votre vos nous notre nos tu ton ta tes je mon ma mes veuillez'),
  es: words('tu tus te tuyo usted ustedes nuestro nuestra nuestros nuestras nos yo mi mis ti contigo'),
  it: words('tu tuo tua tuoi tue ti vi vostro vostra vostri nostro nostra nostri nostre noi io mio mia te'),
  pt: words('você vocês teu tua nosso nossa nossos nossas nós eu meu minha te'),
  nl: words('u uw jij je jouw jullie wij we ons onze ik mijn'),
}

/** Of shops, offers and promises, accounts and pages, contracts and letters. */
export const TRADES: Readonly<Record<string, readonly string[]>> = {
  en: words(`
    buy buying shop shopping store orders ordering cart checkout offer offers offering discount discounts
    bargain priced cheap cheapest affordable premium exclusive free bonus bonuses gift prize prizes winner
    jackpot casino slot slots poker roulette blackjack bet betting spin spins odds payout payouts guarantee
    guaranteed warranty refund refunds shipping delivery packages earn earning wallet crypto bitcoin token
    tokens coin coins blockchain presale loan loans lender lenders mortgage apply repayment click link links
    website websites site sites web page pages browser browsers cookie cookies password passwords login username
    account accounts subscribe subscription subscriptions subscriber subscribers newsletter inbox register
    registration membership download app blog blogs profile followers traffic seo ranking rankings keyword
    keywords backlinks marketing advertising ads brand client clients product products item items instant
    instantly incredible unique ultimate unbeatable fantastic awesome trusted reliable friendly secure
    convenient comfortable durable lightweight ergonomic stylish elegant modern luxury tips tip boost boosts
    enjoy discover choose choosing explore upgrade saves supplement supplements capsule capsules pill pills dose
    weight fat metabolism diet ingredients ingredient formula remedy skin vitamin vitamins herbal prescription
    pharmacy viagra cialis singles dating chat lonely lady ladies girls agrees hereby herein thereof hereunder
    pursuant shall liable liability warranties provision provisions licence license licensee licensor user users
    reserved notice consent device devices settings preferences preference partners vendors third-party intended
    recipient recipients addressee attachment attachments e-mail mail sender reply unsubscribe virus viruses
    errors error disclaimer requested administrator javascript reload homepage search menu contact tel fax
    hotline enquiries inquiries verification verify verified billing transaction funds beneficiary kin deposit
    deposits withdraw withdrawal minimum maximum fee fees euros opportunities successful size sizes colour color
    colors colours stock warehouse display battery charger manual washable stainless steel design designs
    designed collection models model wishlist rated rating stars sharing copy paste amen blessing blessings
    bless luck wish digital unlimited reading readers reader journalism considering helps helpful choices
    tonight hurry limited urgent urgently immediately wager wagering dealers lobby vip cashback promo coupon
    coupons voucher vouchers claim-now stake staking apy airdrop liquidity passive affiliate referral funnel
    funnels tablet tablets dosage detox toxins libido cravings slimming slim potency serum wrinkles widget
    template toggle sitemap faq faqs logo webmaster hosting dns http https url server-side timeout mailbox mails
    upload uploads spam phishing validate reactivate unlock unlocked invoice overdue parcel quota sublicense
    indemnify indemnifies disclaims disclaim merchantability waiver arbitration applicable enforce
    non-refundable controller consents anonymisation encrypted erasure rectification portability referrer
    analytics pixels embedded trademark trademarks iban ext mob locator enquiry tumble fabric waterproof
    bluetooth wireless compatible adapter coating slim-fit rrp basket shoppers purchasers purchased purchasing
    retailer retailers merchandise handbags jerseys replica sneakers wallpaper ringtones apr borrow borrower
    borrowers lend instalment unsecured payday refinance mortgages webcam flirt mingle swipe naughty sexy babes
    escorts escort adult retweet repost comment comments commenting bookmarked admin lol omg scalable seamless
    seamlessly innovative solutions-driven enterprise empower empowers integration integrations award-winning
    world-class cutting-edge leverage synergy stakeholders deploy workflow forward-looking gratitude mindset
    motivation mindfulness yourself blessed barrister remittance consignment hiring recruiter vacancy vacancies
    resume whatsapp gmail advert adverts sponsored sponsor banner popup pop-up ad blocker`),
  de: words(`bestellen kaufen kostenlos kostenlosen kostenlose gratis angebot angebote rabatt versand klicken newsletter
    cookies website webseite datenschutz bonus gewinnen verdienen garantie produkt produkte qualität preis preise kunden
    kundenzufriedenheit anmelden registrieren abonnieren profitieren sichern unverbindlich haftung inhalte links impressum
    zufriedenheit nutzung konto passwort seite gutschein shop hier besten bestmögliche`),
  fr: words(`acheter commandez gratuit gratuite gratuitement offre offres remise livraison cliquez cookies site bonus
    gagner gagnez garantie produit produits qualité prix clients inscrivez abonnez newsletter profitez découvrez compte
    mot passe meilleur meilleurs meilleure économisez crédit prêt page conditions ici`),
  es: words(`compra compre comprar gratis oferta ofertas descuento descuentos envío clic cookies sitio web bono gana gane
    ganar garantía garantizado garantizada producto productos calidad precio precios clientes regístrate suscríbete boletín
    disfruta disfrutar descubre cuenta contraseña mejor mejores casino premios dinero pedido satisfacción página aquí
    pastillas whatsapp ventajas exclusivos`),
  it: words(`acquista compra gratis gratuito offerta offerte sconto sconti spedizione clicca cookie sito bonus vinci
    guadagna garanzia prodotto prodotti qualità prezzo prezzi clienti iscriviti newsletter scopri approfitta account
    password migliore migliori qui pagina`),
  pt: words(`compre comprar grátis gratuito oferta ofertas desconto descontos frete clique cookies site bônus ganhe ganhar
    garantia produto produtos qualidade preço preços clientes inscreva cadastre newsletter aproveite descubra conta senha
    melhor melhores aqui página dinheiro`),
  nl: words(`koop kopen bestel gratis aanbieding aanbiedingen korting verzending klik cookies website bonus winnen verdien
    garantie product producten kwaliteit prijs prijzen klanten aanmelden nieuwsbrief profiteer ontdek account wachtwoord
    beste hier pagina`),
}

/** Praise, advice and generalities: any one of them stands in news too, many together do not. */
export const GENERALITIES: Readonly<Record<string, readonly string[]>> = {
  en: words(`
    order deals price prices win winning sign post business businesses customer customers service services
    quality easy easily simple simply fast perfect ideal best amazing great wonderful beautiful professional
    professionals expert experts guide solution solutions benefit benefits feature features improve improves try
    save natural love terms personal information data message request phone opportunity success freedom future
    dream dreams secret system step steps money cash rich available reviews review share forward like friend
    friends everybody everyone anyone anything plan access support important consider need needs needed want
    wants looking look help useful make sure right different difference many various wide range choice option
    options variety numerous always never ever today now soon good better should recommended recommend ordinary
    personally essential vital effective efficient specialist latest suitable ensure ensures provide provides
    include includes depending requirements budget type types ways tool tools idea lot lots minutes popular
    increasingly versatility maintenance regular overwhelming beginners beginner brands taste pros cons
    advantages advantage avoid comparing achieve hoping keep mind mistake mistakes effortless effortlessly
    quickly naturally exclusively genuine honest kindly urgent ready welcome favourite favorite excellent superb
    decent lovely perfectly significantly everyday everybody's nobody yourself whenever whatever whichever
    wherever hassle currently comes come works stay remain earnings profit profits profitable invest investor
    investors trader trading sale platform platforms storage registered processing purchase purchases content
    privacy internet online email credit package payment permission identity join article articles address
    server posts dollars`),
}

/** Tells what others did: reporting verbs, past tense, third persons, days, offices. */
export const REPORTS: Readonly<Record<string, readonly string[]>> = {
  en: words(`
    said says say saying told tells added reported reports according announced claimed argued warned asked was
    were had did been became began came went took made gave got saw found left held led ran won lost met sent
    put set brought thought kept knew grew rose fell spoke wrote stood heard fought hit broke drew shot died
    killed he she him his her they them their who whom monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december yesterday week month year
    years president minister government police court senate house congress party's officials spokesman
    spokeswoman state states percent million billion election campaign military war city country national
    federal former quarter quarterly analysts shares revenue market markets forecasts forecast third second
    study researchers scientists judge officer officers arrested victim victims attack fire wounded minutes goal
    team season played beat match final`),
}

/** A noun must follow, sooner or later. */
export const DETERMINERS = words('the a an their its every your our my')
/** What never follows a determiner at once. */
export const NOT_AFTER_DETERMINER =
  words(`the a an their its every your our my of to and in that is was for on with as he
  it at by from be are has have had but they or were been who she if we you i would will so not`)

/** A phrase follows; no verb, no conjunction. */
export const PREPOSITIONS = words('of from with at by into')
export const NOT_AFTER_PREPOSITION = words('of and is was are were has had have be but or they he she')
/** No sentence ends with one. */
export const NEVER_LAST = words('the a an its their every our your my and or of if')
