import type { DocExample } from '../example.ts'

const detail = {
  id: 'sto_sr3eekx2bvkcggkdj6dmjr3urw',
  title: 'Lindsay Lohan Checks Into Court-Ordered Rehab',
  article_count: 19,
  source_count: 19,
  publisher_count: 18,
  origin_count: 17,
  confidence: 0.876643,
  membership: 'settled',
  created_at: '2026-11-22T07:45:41.870Z',
  updated_at: '2026-11-22T07:45:41.870Z',
  primary_entities: ['ent_ntie2ivbll2jkbdr', 'ent_rx3nzuev6uymqb23', 'ent_fco4zq2evoc7mwnp'],
  sentiment_distribution: { positive: 0.0526316, neutral: 0.842105, negative: 0.105263 },
  categories: [],
  geographic_spread: ['US'],
  articles: ['art_2p5fteuk6gfonmho7mm7l7xvl7', 'art_3x63ewok5ykofqbi4wgmypxbqn', 'art_4fjo3take6cvdsvh6svmunjfa4'],
  summary: [
    {
      sentence:
        'Early Friday morning, around 1:30 a.m., the 26-year-old actress checked into Betty Ford Center in Rancho Mirage, Calif.',
      article_id: 'art_3x63ewok5ykofqbi4wgmypxbqn',
      sentence_index: 0,
    },
    {
      sentence:
        '26-year troubled starlet narrowly avoided jail time by checking into a second rehab center following her quick exit from Morningside Recovery in Newport Beach, Calif. on Thursday, May 2.',
      article_id: 'art_hsequ5iwcufiylpbg56qoqqhki',
      sentence_index: 0,
    },
  ],
  representative_article_id: 'art_4fjo3take6cvdsvh6svmunjfa4',
  first_published: null,
  last_published: null,
  entities: {
    PERSON: [
      { id: 'ent_ntie2ivbll2jkbdr', name: 'Lindsay Lohan', mention_count: 39, article_count: 13 },
      { id: 'ent_yhmuspumoje5zrh5', name: 'Betty Ford', mention_count: 9, article_count: 5 },
    ],
    ORG: [
      { id: 'ent_xnabzgbrbt7zxg5h', name: 'TMZ', mention_count: 9, article_count: 8 },
      { id: 'ent_d64zqvotxepiq2yc', name: 'Betty Ford Center', mention_count: 12, article_count: 7 },
    ],
    GPE: [
      { id: 'ent_rx3nzuev6uymqb23', name: 'Newport Beach', mention_count: 10, article_count: 10 },
      { id: 'ent_fco4zq2evoc7mwnp', name: 'California', mention_count: 11, article_count: 9 },
    ],
    LOC: [
      { id: 'ent_3cxphfxsqwa4jjlx', name: 'Rehab Centre', mention_count: 1, article_count: 1 },
      { id: 'ent_ckimbdkqo3qh7ecx', name: 'Cliffside Rehab Center', mention_count: 1, article_count: 1 },
    ],
    EVENT: [],
  },
  members: [
    {
      article_id: 'art_2p5fteuk6gfonmho7mm7l7xvl7',
      title: null,
      source: 'ktla.com',
      url: 'http://ktla.com/2013/05/03/lohan-may-miss-rehab-deadline-dad-says/',
      published_date: null,
      genre: 'report',
      similarity: 0.842884,
      assignment_confidence: 0.9712,
      is_duplicate_of: null,
      derived_from: null,
      publisher_family: null,
      origin: '45797cff5a0aa0db',
    },
    {
      article_id: 'art_3x63ewok5ykofqbi4wgmypxbqn',
      title: 'Lindsay Lohan checks into rehab at Betty Ford Center',
      source: 'today.com',
      url: 'http://www.today.com/entertainment/lindsay-lohan-checks-rehab-betty-ford-center-6C9756579',
      published_date: null,
      genre: 'report',
      similarity: 0.889096,
      assignment_confidence: 0.9712,
      is_duplicate_of: null,
      derived_from: null,
      publisher_family: 'NBCUniversal',
      origin: 'b6a90d1f20c4e387',
    },
  ],
  history: [
    {
      type: 'opened',
      at: '2026-11-22T07:45:41.870Z',
      article_id: 'art_4fjo3take6cvdsvh6svmunjfa4',
      other_cluster_id: null,
      direction: null,
      articles: 1,
      correction_id: null,
    },
  ],
  split_into: [],
  merged_into: null,
  merged_at: null,
}

export const getCluster: DocExample = { params: { cluster_id: detail.id }, answer: detail }

export const getStory: DocExample = { params: { story_id: detail.id }, answer: { story_id: detail.id, ...detail } }
