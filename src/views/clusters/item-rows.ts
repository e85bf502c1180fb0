import { COUNTRIES, FEW, OUTLET, PUBLISHER, withOrigins, type Grouping } from './as-of.ts'

/**
 * CTEs on the articles in the CTE `concerned`. `inside`: the members of the clusters `of`, as of a point in time, one row
 * each, with their `similarity` (cosine to the centre, which is the sum of the members' vectors), `origin` and
 * `from_origin`.
 */
export const membersAndCentres = (of: string, from: Grouping): string => `
  ${withOrigins(
    `content_hash, title, url, source, genre, language, published_date, sentiment_label, categories,
        ${OUTLET} AS outlet, ${PUBLISHER} AS house,
        arrayFilter(
          entity -> entity.3 NOT IN ('DATE', 'MONEY'),
          arrayZip(entity_ids, entity_names, entity_types, entity_mentions)
        ) AS named,
        ${COUNTRIES}`,
    from,
  )},
  known AS (
    SELECT * EXCEPT from_origin, max(looked.from_origin) OVER (PARTITION BY article_id) AS from_origin
    FROM looked
    WHERE cluster_id IN ${of}
  ),
  vectors AS (
    SELECT article_id, event_id, vector FROM members FINAL
    PREWHERE article_id IN (SELECT article_id FROM concerned)
    WHERE namespace = {namespace: String}
  ),
  centred AS (
    SELECT known.*, vectors.vector AS vector, sumForEach(vectors.vector) OVER (PARTITION BY known.cluster_id) AS centre
    FROM known INNER JOIN vectors ON known.article_id = vectors.article_id AND known.event_id = vectors.event_id
    WHERE known.own
  ),
  inside AS (
    SELECT * EXCEPT (vector, centre), round(1 - cosineDistance(vector, centre), 6) AS similarity FROM centred
  )`

/** A story's title is chosen from this many members, those nearest to the centre. */
const HEADLINES = 40

/** The columns of `story_items`, and of the CTE `items`. */
export const ITEM_COLUMNS =
  'cluster_id, updated_at, members, days, revisions, headlines, source_count, publisher_count, languages, ' +
  'first_published, last_published, positive, neutral, negative, entities, geographic_spread, categories'

/** Those in most articles, then those mentioned most. */
const ENTITIES = `sumMap(
        arrayMap(entity -> (entity.1, entity.2, toString(entity.3)), named), arrayMap(entity -> 1, named),
        arrayMap(entity -> entity.4, named)
      ) AS counted,
      arrayMap(
        entity -> CAST(tuple(entity.1.1, entity.1.2, entity.1.3, entity.3, entity.2), 'Tuple(id String, name String, type String, mention_count UInt32, article_count UInt32)'),
        arraySlice(
          arraySort(entity -> (-entity.2, -entity.3, entity.1), arrayZip(counted.1, counted.2, counted.3)),
          1, {max_entities: UInt32}
        )
      ) AS entities`

/** CTEs on the articles in the CTE `concerned`. `items`: one row per cluster `of`, computed from facts. */
export const itemsOfFacts = (of: string, from: Grouping = 'placements'): string => `
    ${membersAndCentres(of, from)},
    items AS (
    SELECT
      cluster_id, max(occurred_at) AS updated_at,
      arraySort(groupArray((occurred_at, article_id, origin, from_origin, similarity))) AS members,
      maxMap([toDate32(occurred_at)], [revised]) AS by_day, by_day.1 AS days, by_day.2 AS revisions,
      arraySort(
        member -> (member.5, member.1),
        arraySlice(
          arraySort(
            member -> (member.6 NOT IN ('en', 'und'), -member.4, member.5, member.1),
            groupArray((article_id, title, toString(genre), similarity, occurred_at, toString(language)))
          ),
          1, ${HEADLINES}
        )
      ) AS near,
      arrayMap(
        member -> CAST(
          (member.1, member.2, member.3, member.4, member.6),
          'Tuple(article_id String, title Nullable(String), genre String, similarity Float64, language String)'
        ),
        near
      ) AS headlines,
      greatest(1, uniqExact(outlet)) AS source_count, greatest(1, uniqExact(house)) AS publisher_count,
      arraySort(groupUniqArray(toString(language))) AS languages,
      min(published_date) AS first_published, max(published_date) AS last_published,
      countIf(sentiment_label = 'positive') AS positive, countIf(sentiment_label = 'neutral') AS neutral,
      countIf(sentiment_label = 'negative') AS negative,
      ${ENTITIES},
      sumMap(countries, arrayMap(country -> 1, countries)) AS by_country,
      arrayMap(country -> country.1, arraySort(country -> (-country.2, country.1), arrayFilter(
        country -> country.2 >= if(length(members) < ${FEW}, 1, 2), arrayZip(by_country.1, by_country.2)
      ))) AS geographic_spread,
      sumMap(inside.categories, arrayMap(category -> 1, inside.categories)) AS by_category,
      arrayMap(category -> category.1, arraySort(category -> (-category.2, category.1), arrayFilter(
        category -> category.2 * 3 >= length(members), arrayZip(by_category.1, by_category.2)
      ))) AS categories
    FROM inside
    GROUP BY cluster_id
    )`
