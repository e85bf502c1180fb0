/**
 * The table that groups articles: `placements` assigns them to stories, `subject_listings` lists them on subject pages.
 * Both have one row per ledger entry.
 */
export type Grouping = 'placements' | 'subject_listings'

/** The newest ledger entry of each article in the CTE `concerned`, as of a point in time. */
const assignments = (from: Grouping): string => `
    assignments AS (
      SELECT article_id, cluster_id, assignment_confidence AS placed_confidence, _offset AS placed
      FROM ${from} FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )`

/**
 * The syndication group and source article of each article, from its newest clustered revision. Articles clustered
 * before origins were detected have none.
 */
const TEXTS = `
    texts AS (
      SELECT article_id, syndication_group, derived_from, translation
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )`

/**
 * CTEs on the articles in the CTE `concerned`, as of a point in time. `belonging` has one row per article that exists
 * by then: its `cluster_id`, the `occurred_at` and `columns` of its newest revision, the log offsets at which it
 * `arrived` and was last `revised` (equal if it never was), the offset (`placed`) and confidence (`placed_confidence`)
 * of its last assignment, and the text it is a copy of.
 */
export const belonging = (columns: string, from: Grouping = 'placements'): string => `
    ${assignments(from)},
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
        assignments.cluster_id AS cluster_id, assignments.article_id AS article_id, assignments.placed AS placed,
        assignments.placed_confidence AS placed_confidence, facts.* EXCEPT article_id,
        if(texts.syndication_group = '', facts.semantic_hash, texts.syndication_group) AS text_of,
        ifNull(texts.derived_from, '') AS source_article, texts.translation AS translation
      FROM assignments INNER JOIN facts ON assignments.article_id = facts.article_id
      LEFT JOIN texts ON assignments.article_id = texts.article_id
    )`

/**
 * `belonging` with the independent source of each member. `origin` is the member's syndication group, or its publisher
 * family if all members of the group in this story belong to one family: the outlets of one publisher count once, and
 * so does a wire text that many publishers print. `from_origin` is the origin of the member that it quotes or rewrites;
 * empty if it is independent. Only an origin that arrived earlier can be a `from_origin`, so there are no cycles, and
 * the independent origins are those without a `from_origin`.
 *
 * `looked`: one row per member, with `own`. A member that derives from another article has a second row, without `own`,
 * which finds the origin of that article.
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

/**
 * The outlet is identified by name or domain; the publisher by publisher family, publisher name, or else its outlet.
 */
export const OUTLET = 'coalesce(lower(source), domainWithoutWWW(url))'
export const PUBLISHER = "coalesce(publisher_family, nullIf(publisher, ''), lower(source), domainWithoutWWW(url))"

/** Countries that a member mentions as places. */
export const COUNTRIES = `arrayDistinct(arrayFilter(
          (country, type) -> country != '' AND type IN ('GPE', 'LOC'), entity_countries, entity_types
        )) AS countries`
/** Below this many members, one member that mentions a country is enough for the story; otherwise two are needed. */
export const FEW = 3

/** Only this many articles of a subject page, the newest, are counted and listed. */
const LISTED_ON_A_SUBJECT = 2_000

/** Limits the articles read per subject page. All articles of a story are read. */
const boundOf = (from: Grouping): string =>
  from === 'placements' ? '' : `ORDER BY _offset DESC LIMIT ${LISTED_ON_A_SUBJECT} BY cluster_id`

/** All articles that were ever assigned to one of `ids`. */
export const concernedByIds = (from: Grouping = 'placements'): string => `
    concerned AS (
      SELECT article_id FROM ${from}
      WHERE namespace = {namespace: String} AND cluster_id IN {ids: Array(String)}
      ${boundOf(from)}
    )`

/**
 * `settled`: for each UTC event day that was reclustered, the log offset of the last recluster. An article of that day
 * that arrived and was last revised before this offset is settled. A later move, merge, split or correction does not
 * make it provisional again.
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
 * `settlement`: for each story that matches the condition and was settled, the log offset of its last settlement and
 * the assignment confidence of its articles from then on. A member that was assigned later has its own confidence (see
 * `ASSIGNMENT_CONFIDENCE`).
 */
export const settlementOf = (condition: string): string => `
    settlement AS (
      SELECT cluster_id AS story, max(_offset) AS story_settled, argMax(assignment_confidence, _offset) AS settled_confidence
      FROM settlements FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')} AND ${condition}
      GROUP BY cluster_id
    )`

/** The confidence of a member that is joined with the `settlement` of its story; `null` if it is unknown. */
export const ASSIGNMENT_CONFIDENCE = 'if(story_settled > placed, settled_confidence, placed_confidence)'

/**
 * CTEs: `touched` has the stories or subject pages with articles between `from` and `as_of`, `concerned` every article
 * that was ever in one of them.
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
 * CTEs on the syndication groups in the CTE `of`, as of a point in time. `originals` has one row per group: the number
 * of `articles` whose newest revision is in it, and its `original`, the article whose first revision in the group has
 * the earliest event time (ties: the first to arrive). An original therefore stays the original when it is revised
 * later.
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

/** The fields of a member that determine its independent source. */
interface OfOrigin {
  readonly origin: string
  /** The origin that this one derives from; empty if it is independent. */
  readonly from_origin: string
}

/**
 * Maps each origin to the independent origin that it derives from, directly or indirectly; an independent one to
 * itself.
 */
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
