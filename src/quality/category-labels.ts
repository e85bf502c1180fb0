import { CATEGORY_NAMES, type Category } from '../language/categories/categories.ts'

/**
 * `true` if the article belongs to the category, `false` if not. Absent if the label does not decide it: the article is
 * then neither trained on nor scored for this category.
 */
export type QualityLabels = Partial<Record<Category, boolean>>

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** AllSides topics whose articles belong to the category. */
const BELONGS: Readonly<Record<Category, readonly string[]>> = {
  technology: words('technology cybersecurity'),
  politics: words(`elections politics white_house us_senate us_house us_congress republican_party democratic_party
    impeachment campaign_finance campaign_rhetoric voting_rights_and_voter_fraud tea_party`),
  finance: words('economy_and_jobs economic_policy banking_and_finance business treasury taxes trade'),
  geopolitics: words('north_korea foreign_policy middle_east china israel palestine south_korea isis nuclear_weapons'),
  health: words('healthcare public_health opioid_crisis obesity_and_malnutrition'),
}

/** AllSides topics whose articles may belong to the category although they are filed elsewhere. */
const MAY_BELONG: Readonly<Record<Category, readonly string[]>> = {
  technology: words(
    'privacy nsa fbi free_speech fake_news media_bias russia energy transportation science business china',
  ),
  politics: words(`supreme_court polarization immigration healthcare media_bias national_security
    gun_control_and_gun_rights fbi taxes foreign_policy free_speech justice trade environment russia economy_and_jobs
    general_news education federal_budget state_department fake_news sexual_misconduct economic_policy abortion
    homeland_security great_britain civil_rights mexico europe bridging_divides criminal_justice justice_department epa
    energy veterans_affairs lgbt_rights race_and_racism us_constitution labor inequality cia role_of_government privacy
    death_penalty social_security welfare nsa facts_and_fact_checking domestic_policy marijuana_legalization treasury
    women's_issues us_military national_defense defense world culture israel north_korea china cybersecurity
    religion_and_faith opioid_crisis public_health housing_and_homelessness banking_and_finance business agriculture
    middle_east nuclear_weapons terrorism violence_in_america holidays isis palestine south_korea asia`),
  finance: words(`federal_budget energy labor inequality china agriculture transportation housing_and_homelessness
    social_security welfare healthcare technology mexico general_news role_of_government environment europe
    great_britain veterans_affairs politics white_house us_congress us_house us_senate`),
  geopolitics: words(`world russia europe great_britain asia mexico terrorism us_military national_defense defense
    state_department national_security cia trade general_news white_house politics treasury homeland_security
    cybersecurity nsa immigration`),
  health: words(`abortion veterans_affairs marijuana_legalization science food environment women's_issues
    general_news federal_budget us_senate us_house us_congress welfare social_security epa`),
}

/** Labels from the topic under which the editors of AllSides filed an article. */
export const ofTopic = (topic: string): QualityLabels =>
  labels(
    (category) => BELONGS[category].includes(topic),
    (category) => MAY_BELONG[category].includes(topic),
  )

const OF_DESK: Readonly<Record<string, Category | null>> = { b: 'finance', t: 'technology', m: 'health', e: null }

/**
 * Stories of the UCI set whose desk does not match our categories: accidents under business, science under technology.
 */
const MISFILED = new Set([
  'dEMAAHOiiULKoTMlQ5PeakjabUaYM', // a rail worker killed
  'dccIdMgK1mPz2OMPNMfHccPwCkkaM', // riders of public transit
  'dZN_cm41wSN59aMjra4bdYw_-ofgM', // a tanker at a rebel port
  'd5QLB3YPAiLMvLMBwfhnasFbY4gkM', // volcanoes of the ice ages
  'dF8Q4zU4z14K2OMVh3PR3dzl6x5BM', // a television series on the cosmos
  'dZ9Dt3M_96s6vvMSB5n0INMObqVuM', // the same series
  'dYRPyd6HqIPIS_MW7vO0rcnAOciKM', // the weather of an old empire
  'ddMsNh_ZO_dFyUMVRJr3gBnMqYMjM', // stars
])

/** Stories of the UCI set that may also belong to technology, regardless of their desk. */
const MAY_BE_TECHNOLOGY = new Set([
  'dySYl91T1BpO-NM0mbKWEsHDcxedM', // a musician's music player
  'dZphfxYr-HPiv2MLDkthjDyocSQCM', // parents and their mobile phones
])

/**
 * Labels from the desk of a headline. A headline has only one desk, so categories that overlap with the desk stay
 * undecided.
 */
export function ofDesk(desk: string, story: string): QualityLabels {
  if (MISFILED.has(story)) return {}
  const own = OF_DESK[desk] ?? null
  const isShared = (category: Category) =>
    (own === 'technology' && category === 'finance') || (own === 'finance' && category !== 'health')
  return labels(
    (category) => category === own,
    (category) => isShared(category) || (category === 'technology' && MAY_BE_TECHNOLOGY.has(story)),
  )
}

/** Labels annotated for this project: a category that is not named does not apply. */
export const ofHeadline = (named: string): QualityLabels =>
  labels(
    (category) => named.split(' ').includes(category),
    () => false,
  )

function labels(is: (category: Category) => boolean, mayBe: (category: Category) => boolean): QualityLabels {
  const known = CATEGORY_NAMES.filter((category) => is(category) || !mayBe(category))
  return Object.fromEntries(known.map((category) => [category, is(category)]))
}
