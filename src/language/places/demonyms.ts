/** Adjectives and peoples: "French" is neither a place nor a person. Compared in lower case, singular and plural. */
const SINGULAR = `afghan albanian algerian american andorran angolan argentine argentinian armenian australian austrian
  azerbaijani azeri bahamian bahraini bangladeshi barbadian basque bavarian belarusian belarussian belgian belizean
  beninese bhutanese bolivian bosnian botswanan brazilian british briton bulgarian burkinabe burmese burundian cambodian
  cameroonian canadian catalan chadian chechen chilean chinese colombian comoran congolese corsican cretan crimean croat
  croatian cuban cypriot czech dane danish djiboutian dominican dutch ecuadorian ecuadorean egyptian emirati english
  englishman eritrean estonian ethiopian european fijian filipino filipina finn finnish flemish french frenchman
  gabonese gambian georgian german ghanaian greek grenadian guatemalan guinean guyanese haitian hawaiian honduran
  hungarian icelandic indian indonesian iranian iraqi irish irishman israeli italian ivorian jamaican japanese jewish
  jordanian kashmiri kazakh kenyan korean kosovar kurd kurdish kuwaiti kyrgyz laotian latino latina hispanic latvian
  lebanese liberian libyan liechtensteiner lithuanian luxembourger macedonian malagasy malawian malaysian maldivian
  malian maltese maori mauritanian mauritian mexican moldovan mongolian montenegrin moroccan mozambican namibian
  nepalese nepali nigerien nigerian norwegian omani ottoman pakistani palestinian panamanian papuan paraguayan persian
  peruvian pole polish portuguese punjabi qatari quebecois roman romanian russian rwandan salvadoran samoan saudi
  scandinavian scot scottish senegalese serb serbian serbian shiite shia sunni sicilian singaporean slovak slovakian
  slovene slovenian soviet somali somalian spaniard spanish sudanese surinamese swazi swede swedish swiss syrian
  taiwanese tajik tamil tanzanian texan thai tibetan togolese tongan trinidadian tunisian turk turkish turkmen ugandan
  uighur uyghur ukrainian uruguayan uzbek venezuelan vietnamese welsh welshman yemeni yugoslav zambian zimbabwean
  african asian arab arabic muslim islamic islamist christian catholic protestant hindu buddhist sikh jew mormon
  evangelical californian floridian londoner parisian berliner muscovite ukranian rohingya yazidi hutu tutsi zulu
  chinese-american african-american balkan baltic nordic latin slavic caucasian transatlantic western eastern northern
  southern democrat republican nicaraguan tasmanian antiguan bermudian comorian faroese gibraltarian greenlandic maldivan
  nauruan palauan polynesian melanesian micronesian quebecker sardinian tuvaluan vanuatuan zanzibari cameroonian
  aboriginal inuit maasai kikuyu igbo yoruba hausa fulani pashtun hazara tuareg berber sahrawi`.split(/\s+/)

const PLURAL = /(?:s|sh|ese|ch)$/

export const DEMONYMS: ReadonlySet<string> = new Set(
  SINGULAR.flatMap((word) => (PLURAL.test(word) ? [word] : [word, `${word}s`])),
)

/** Whether the word names a people, a faith or a direction rather than a place. */
export const isDemonym = (word: string): boolean => DEMONYMS.has(word.toLowerCase())
