const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/**
 * The commonest words of a language: between a fifth and a half of any prose, and almost nothing of a keyword list. A
 * language that is not here is not judged by them.
 */
export const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    'the of to and a in that is was for on with as he his it at by from be are has have had not this but they an which ' +
      'or were been their who its she her will would one all more said when we i you there about what if so no out up',
  ),
  de: words(
    'der die das und in den von zu mit ist im für auf nicht eine ein des dem sich auch als an es er sie hat bei',
  ),
  fr: words('de la le les et des en un une du que à est pour dans a il qui au sur par plus pas ne ce se avec sont son'),
  es: words('de la que el en y a los se del las un por con no una su para es al lo como más o fue ha este sus'),
  it: words('di e il la che in a per un è del una con non si le da i della al sono dei nel come ha anche più'),
  pt: words('de a o que e do da em um para com não uma os no se na por mais as dos como mas ao das foi à pelo'),
  nl: words('de het een van en in is dat op te zijn met voor niet die aan er om ook als door bij uit maar naar heeft'),
  sv: words('och i att det som en på är av för med den till inte har de om ett var från vid men så kan'),
  no: words('og i det på som er en til at av for med har ikke den de om et var fra men ble seg kan'),
  da: words('og i at det en er på til af som for med har ikke den de der et om var fra men så kan'),
  pl: words('w i na z się nie to do że o jest jak za po od przez a oraz ale które który dla są był przy'),
  ro: words('de și în a la cu pe nu din o că să pentru mai este care un se fi au ca sau prin după'),
  cs: words('a v se na je že o s z do to i ve pro jsem za by k jako po jsou ale od který si které'),
  fi: words('ja on ei se että oli hän mutta ovat myös kun joka mukaan ole kuin sen jo niin jos tai'),
  tr: words('ve bir bu da de için ile olarak daha çok en gibi olan sonra kadar ne ise ancak o'),
  id: words('yang dan di ini dari untuk dengan pada itu tidak dalam akan ke adalah juga oleh karena ada telah bisa'),
  ru: words('и в не на что с по он как из у к за о его это а то для от но все же было был до'),
  uk: words('і в не на що з у та до це як за про від він але для по його був яка які або'),
  af: words('die van en in is het nie dat wat vir met op aan te sy hulle ook was as om kan'),
  az: words('və bu bir ilə üçün ki də da olan o çox daha sonra ən kimi olub amma'),
  be: words('і ў не на што з у да як за гэта ён але для па быў яго ад або'),
  bg: words('на и в за се от да е са с че не по това до като след при ще но'),
  bs: words('i u je na se da za su od sa s a o koji ne što kao iz ili će'),
  ca: words('de la i a el que en les per un una els del amb es no al és va com'),
  el: words('και το της η στο ο των του για με την να από που τα είναι στην δεν τον θα'),
  et: words('ja on et ei see oli kui ka aga oma mis ta kes või ning selle pärast'),
  eu: words('eta da du ez bat ere izan zen dira baina bere egin hau dute den'),
  gl: words('de a o e que do da en un unha para con por non os as no na é máis'),
  hr: words('i u je na se da za su od s a o koji ne što kao iz ili će nije'),
  hu: words('a az és hogy nem is egy meg de volt csak már mint ez még van ki azt vagy'),
  is: words('og í að á er sem til um við með af ekki var en fyrir það hann'),
  lt: words('ir į kad su iš yra tai ne bet o kaip už nuo buvo apie dėl jis per'),
  lv: words('un ir ka ar no uz par arī bija lai kas tas bet vai kā ne pie'),
  ms: words('yang dan di ini untuk dengan pada itu tidak dalam akan ke adalah oleh kepada telah dari beliau'),
  sk: words('a v na sa je že o s z do to aj pre pri bol ale ako po ktorý od k za'),
  sl: words('in je v na se da za so z s po tudi ki pa ne bi o kot še pri od'),
  sq: words('e të në dhe për me një që nga është i së do u ka si më nuk'),
  sr: words('и у је на се да за су од са а о који не што као из или ће i u je na se da za su od sa'),
  tl: words('ang ng sa na mga ay at si ni para hindi ito kay nang may kung siya'),
  vi: words('và của là có cho các được với trong một những đã không người này đến khi từ ra về'),
  so: words('iyo ka ee ku ay oo in la waa uu soo ah u waxa si lagu kale aan'),
  sw: words('ya na wa kwa ni la katika za hiyo cha kuwa huo huyo yake wake pia hii ili au'),
  ha: words('da na a ya ta wannan ba ga su don kuma cewa shi wani cikin sai ne ce'),
}
