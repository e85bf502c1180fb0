import type { DocExample } from '../example.ts'

export const listEntityRelationships: DocExample = {
  query: { entity: 'Athens', min_strength: 0.1 },
  answer: {
    entity: { id: 'ent_de7sl3k6oyrl4shk', name: 'Athens', type: 'GPE' },
    relationships: [
      {
        target_entity: { id: 'ent_fx3spfvoz63krbrx', name: 'Greece', type: 'GPE' },
        strength: 0.75,
        co_mentions: 9,
        type: 'co_mention',
        direction: null,
        origins: 8,
        sentiment: -0.2411,
        contexts: [
          '"We are all concerned by Greece\'s economic and budgetary situation but at this time our thoughts are with the human victims in Athens," European Union President Herman Van Rompuy said in Brussels.',
          "After months of hesitation, eurozone countries and the IMF agreed to lend Greece billions of euros at below market rates after concerns that the Athens government's debt crisis could trigger a knock-on effect elsewhere.",
          'After months of hesitation, eurozone countries and the IMF agreed to lend Greece billions at below market rates after concerns the Athens crisis could trigger a knock-on effect elsewhere.',
        ],
        context_article_ids: [
          'art_gldz47sbn6am3sa3jsgdntmdbw',
          'art_n5heuqz23tywh5jqly3ktpw7lu',
          'art_pj2uwwgsqxes5rrftzpg2tlq5b',
        ],
      },
      {
        target_entity: { id: 'ent_gn4drkt6tylwv7fo', name: 'George Papandreou', type: 'PERSON' },
        strength: 0.666667,
        co_mentions: 8,
        type: 'co_mention',
        direction: null,
        origins: 7,
        sentiment: -0.2371,
        contexts: [],
        context_article_ids: [],
      },
    ],
    truncated: false,
    max_co_mentions: 12,
    time_range: '30d',
    graph_as_of: '2026-11-22T07:48:12.748Z',
  },
}

export const getEntityNetwork: DocExample = {
  query: { entity: 'Athens', min_strength: 0.1, max_nodes: 3 },
  answer: {
    entity: { id: 'ent_de7sl3k6oyrl4shk', name: 'Athens', type: 'GPE' },
    truncated: true,
    max_co_mentions: 12,
    nodes: [
      { id: 'ent_de7sl3k6oyrl4shk', name: 'Athens', type: 'GPE', mentions: 41, sentiment_avg: -0.118228 },
      { id: 'ent_fx3spfvoz63krbrx', name: 'Greece', type: 'GPE', mentions: 33, sentiment_avg: -0.123184 },
    ],
    edges: [
      {
        source: 'ent_de7sl3k6oyrl4shk',
        target: 'ent_fx3spfvoz63krbrx',
        strength: 0.75,
        type: 'co_mention',
        directed: false,
        co_mentions: 9,
      },
      {
        source: 'ent_de7sl3k6oyrl4shk',
        target: 'ent_gn4drkt6tylwv7fo',
        strength: 0.666667,
        type: 'co_mention',
        directed: false,
        co_mentions: 8,
      },
    ],
    time_range: '30d',
    graph_as_of: '2026-11-22T07:48:12.748Z',
  },
}
