// The requests of the part "calls", for Treadle and for the bare handler.
import { WORDS } from './fill.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
export const SEARCH = '/rest/public/article/search';
export const SORT = 'sort=-article_published';

/** Pages that differ in their start and length: tens of thousands before one repeats. */
const toPage = (path) => (number) => `${path}&offset=${Math.floor(number / 10) % 3000}&limit=${20 + (number % 10)}`;
/** The words of the articles in pairs, on the first pages. */
const toWords = (path) => (number) => {
  const [first, second] = [number % WORDS.length, 1 + (Math.floor(number / WORDS.length) % (WORDS.length - 1))];
  const pair = `${WORDS[first]}+${WORDS[(first + second) % WORDS.length]}`;
  const page = Math.floor(number / (WORDS.length * (WORDS.length - 1)));
  return `${path}&q=${pair}&limit=${20 + (page % 10)}&offset=${Math.floor(page / 10)}`;
};
/** Each id once, in an order that has nothing to do with that of the rows. */
const toId = (path, most) => (number) => `${path}/${1 + ((number * 7919) % most)}`;

/** Texts with other words each time: some hundred thousand before one repeats, and none at the same comment. */
const toText = (number) =>
  `A comment about ${WORDS[number % WORDS.length]} and ${WORDS[Math.floor(number / WORDS.length) % WORDS.length]}, number ${number % 997}.`;

/**
 * Requests by title. Bare sends the same, unless it has another body.
 *
 * @param rows How many articles the database has.
 */
export function listCalls({ authorization, rows }, tags) {
  const text = 'A comment from the bench.';
  const signed = { ...JSON_TYPE, authorization };
  const write = (body) => JSON.stringify(body);
  const first = `${SEARCH}?limit=20&${SORT}`;
  return {
    'search, 20 to 29 rows of any page with total': { path: toPage(`${SEARCH}?${SORT}`) },
    'search for two words, with total': { path: toWords(`${SEARCH}?total=1`) },
    'search for two words in the order of a date': { path: toWords(`${SEARCH}?${SORT}`) },
    'detail of any article, with its comments': { path: toId('/rest/public/article/detail', rows) },
    'create of a comment, with token and words': {
      path: '/rest/user/comment/create',
      method: 'POST',
      headers: signed,
      body: write({ comment_detail: text }),
      bareBody: write({ comment_detail: text, article_id: 77 }),
      status: 201,
    },
    'update of any comment, with token and words': {
      path: toId('/rest/user/comment/update', 900),
      method: 'PATCH',
      headers: signed,
      body: (number) => write({ comment_detail: toText(number) }),
    },
    'kept: the same search again': { path: first },
    'kept: the page /articles': { path: '/articles' },
    'kept: the same search with token, scope and limit': {
      path: `/rest/user/article/search?limit=20&${SORT}`,
      barePath: first,
      headers: { authorization },
    },
    'kept: 304 of the search': { path: first, headers: { 'if-none-match': tags.search }, status: 304, bareStatus: 200 },
    'kept: the search packed by br': { path: first, headers: { 'accept-encoding': 'br' } },
    'static file of 17 kB': { path: '/bench.css' },
  };
}

export const toBare = ({ path, barePath = path, body, bareBody = body, status, bareStatus = status, ...request }) => ({
  ...request,
  path: barePath,
  ...(bareBody === undefined ? {} : { body: bareBody }),
  ...(bareStatus === undefined ? {} : { status: bareStatus }),
});
