/** What puts articles together: the story each belongs to, or the subject page that lists it. Of either, one row a word. */
export type Grouping = 'placements' | 'subject_listings'

/** Where each article that the CTE `concerned` names belongs as of a moment. */
const words = (from: Grouping): string => `
    words AS (
      SELECT article_id, cluster_id, assignment_confidence AS placed_confidence, _offset AS placed
      FROM ${from} FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )`

/** The text each article is of, by its newest clustered revision; none of a decision older than the search for origins. */
const TEXTS = `
    texts AS (
      SELECT article_id, syndication_group, derived_from
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )`

/**
 * CTEs on the articles that the CTE `concerned` names, as of a moment. `belonging`: one row an article that is there by
 * then, with its `cluster_id`, `occurred_at` and the `columns` asked for of its newest revision, the places in the log where
 * it `arrived` and was last `revised` (the same where it never was), where it was last `placed` there and how surely
 * (`placed_confidence`), and whose text it is.
 */
export const belonging = (columns: string, from: Grouping = 'placements'): string => `
    ${words(from)},
    ${TEXTS},
    facts AS (
      SELECT
        article_id, event_id, occurred_at, semantic_hash, ifNull(publisher_family, '') AS family, ${columns},
        min(_offset) OVER (PARTITION BY article_id) AS arrived, _offset AS revised
      FROM members FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    ),
    belonging AS (
      SELECT
        words.cluster_id AS cluster_id, words.article_id AS article_id, words.placed AS placed,
        words.placed_confidence AS placed_confidence, facts.* EXCEPT article_id,
        if(texts.syndication_group = '', facts.semantic_hash, texts.syndication_group) AS text_of,
        ifNull(texts.derived_from, '') AS source_article
      FROM words INNER JOIN facts ON words.article_id = facts.article_id
      LEFT JOIN texts ON words.article_id = texts.article_id
    )`

/**
 * `belonging`, and whose account of the event each member is. Its `origin` is its syndication group, or the publisher
 * family where all members of the group in this story are of that one: outlets of one house count once, a wire that many
 * houses print is one text. `from_origin` is that of the member it quotes or rewrites, which stands for it; empty when
 * it is an account of its own. Only an origin that arrived earlier can stand for another, so there is no circle, and the
 * independent ones are those that none stands for.
 *
 * `looked`: rows with `own` are the members; a member that derives from another has a second row without.
 */
export const withOrigins = (columns: string, from: Grouping = 'placements'): string => `
    ${belonging(columns, from)},
    of_texts AS (
      SELECT
        *, min(family) OVER (PARTITION BY cluster_id, text_of) AS first_family,
        max(family) OVER (PARTITION BY cluster_id, text_of) AS last_family,
        if(first_family != '' AND first_family = last_family, concat('family ', first_family), text_of) AS origin
      FROM belonging
    ),
    of_origins AS (
      SELECT *, min(arrived) OVER (PARTITION BY cluster_id, origin) AS origin_arrived FROM of_texts
    ),
    looked AS (
      SELECT
        * EXCEPT looks_at, looks_at = article_id AS own,
        maxIf(origin, own) OVER (PARTITION BY cluster_id, looks_at) AS found_origin,
        minIf(origin_arrived, own) OVER (PARTITION BY cluster_id, looks_at) AS found_arrived,
        if(NOT own AND found_origin != '' AND found_arrived < origin_arrived, found_origin, '') AS from_origin
      FROM of_origins
      ARRAY JOIN arrayDistinct(if(source_article = '', [article_id], [article_id, source_article])) AS looks_at
    )`

/** Outlets by name or address; and publishers, which are families of outlets, else go by name or address. */
export const OUTLET = 'coalesce(lower(source), domainWithoutWWW(url))'
export const PUBLISHER = "coalesce(publisher_family, nullIf(publisher, ''), lower(source), domainWithoutWWW(url))"

/** Countries that a member names as places. */
export const COUNTRIES = `arrayDistinct(arrayFilter(
          (country, type) -> country != '' AND type IN ('GPE', 'LOC'), entity_countries, entity_types
        )) AS countries`
/** Below this many members, a country is the story's when one names it; else two must. */
export const FEW = 3

/** More articles of one subject page are neither counted nor listed: its newest are. */
const LISTED_ON_A_SUBJECT = 2_000

/** What bounds a reading of `from`; of a story all articles are read. */
const boundOf = (from: Grouping): string =>
  from === 'placements' ? '' : `ORDER BY _offset DESC LIMIT ${LISTED_ON_A_SUBJECT} BY cluster_id`

/** All articles that were ever placed in one of `ids`. */
export const concernedByIds = (from: Grouping = 'placements'): string => `
    concerned AS (
      SELECT article_id FROM ${from}
      WHERE namespace = {namespace: String} AND cluster_id IN {ids: Array(String)}
      ${boundOf(from)}
    )`

/**
 * Of each UTC event day that was rebuilt: an article of that day which came or was revised before this place in the log was
 * looked at with the others of its day. Where it was put since (moved, merged, split, corrected) makes it no news again.
 */
export const SETTLED = `
    rebuilt AS (
      SELECT toDate32(assumeNotNull(rebuilt_from)) AS first_day, toDate32(assumeNotNull(rebuild_day)) AS last_day, _offset
      FROM story_changes FINAL
      WHERE namespace = {namespace: String} AND action = 'rebuilt' AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND rebuilt_from IS NOT NULL AND rebuild_day IS NOT NULL
    ),
    settled AS (
      SELECT first_day + arrayJoin(range(toUInt32(greatest(0, 1 + dateDiff('day', first_day, last_day))))) AS day, max(_offset) AS settled_at
      FROM rebuilt
      GROUP BY day
    )`

/**
 * `settlement`: of each story that a condition names and that ever settled, where in the log it did last, and how surely its
 * articles stay since. A member that was placed there later has its own (`ASSIGNMENT_CONFIDENCE`).
 */
export const settlementOf = (condition: string): string => `
    settlement AS (
      SELECT cluster_id AS story, max(_offset) AS story_settled, argMax(assignment_confidence, _offset) AS settled_confidence
      FROM settlements FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')} AND ${condition}
      GROUP BY cluster_id
    )`

/** Of a member beside the `settlement` of its story; `null` when it is not known. */
export const ASSIGNMENT_CONFIDENCE = 'if(story_settled > placed, settled_confidence, placed_confidence)'

/**
 * The CTEs `touched`, the stories or subject pages that may have news between `from` and `as_of`, and `concerned`, every
 * article that was ever in one of them.
 */
export const concernedByWindow = (from: Grouping = 'placements'): string => `touched AS (
      SELECT cluster_id FROM ${from}
      WHERE namespace = {namespace: String} AND article_id IN
      (
        SELECT article_id FROM members
        WHERE namespace = {namespace: String}
          AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      )
    ),
    concerned AS (
      SELECT article_id FROM ${from}
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT cluster_id FROM touched)
      ${boundOf(from)}
    )`

/**
 * CTEs on the syndication groups that the CTE `of` names, as of a moment: `originals` has one row a group, with how many
 * `articles` are in it by their newest revision, and its `original`: the article whose earliest revision in the group is
 * the earliest by event time, of two at one time the first to arrive; so an original which is corrected later stays one.
 */
export const originalsOf = (of: 'wanted' | 'texts'): string => `
    alike AS (
      SELECT article_id FROM origins
      WHERE namespace = {namespace: String} AND syndication_group IN (SELECT syndication_group FROM ${of})
    ),
    revisions AS (
      SELECT article_id, syndication_group, occurred_at, _offset
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM alike)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    newest AS (
      SELECT article_id, argMax(syndication_group, _offset) AS syndication_group FROM revisions GROUP BY article_id
    ),
    originals AS (
      SELECT syndication_group, uniqExact(article_id) AS articles, argMin(article_id, (occurred_at, _offset)) AS original
      FROM revisions
      WHERE (article_id, syndication_group) IN (SELECT article_id, syndication_group FROM newest)
      GROUP BY syndication_group
    )`

/** A member as far as it matters whose account it gives. */
interface OfOrigin {
  readonly origin: string
  /** The origin that stands for this one; empty when there is none. */
  readonly from_origin: string
}

/** Each origin, and the independent one that stands for it in the end: itself, where it is one. */
export function independent(members: readonly OfOrigin[]): ReadonlyMap<string, string> {
  const from = new Map<string, string>()
  for (const { origin, from_origin } of members) {
    const known = from.get(origin) ?? ''
    if (from_origin > known) from.set(origin, from_origin)
  }
  const root = (origin: string, hops: number): string => {
    const next = from.get(origin)
    return next === undefined || hops === 0 ? origin : root(next, hops - 1)
  }
  return new Map(members.map(({ origin }) => [origin, root(origin, from.size)]))
}
