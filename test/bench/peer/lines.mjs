// What the part "peer" asks, each line once in words that belong to neither side; a side turns them into its own requests.
import { WORDS } from '../fill.mjs';
import { AUTHORS, toRareWord } from './project.mjs';

const NEWEST = { sort: '-created', limit: 20, offset: 0, hasTotal: false };

/** 1,000 pages: the first hundred, of 20 to 29 rows each. */
const toPage = (number, limit = 20 + (number % 10)) => ({ limit, offset: (Math.floor(number / 10) % 100) * limit });
/** Each row once, in an order that has nothing to do with that of the table. */
const toId = (number, most) => 1 + ((number * 7919) % most);
const toPair = (number) => `${WORDS[number % WORDS.length]} ${WORDS[Math.floor(number / WORDS.length) % WORDS.length]}`;

/** 303 pages from the middle of the table on, in ten lengths. */
function toDeep(number, rows) {
  const limit = 20 + (number % 10);
  const pages = Math.floor(rows / limit);
  const page = Math.floor(pages / 2) + (Math.floor(number / 10) % Math.min(303, Math.ceil(pages / 4)));
  return { ...NEWEST, limit, offset: limit * page };
}

/** Published articles that have more views than all but 1 to 10 of a hundred: ten lengths of page for each number. */
function toPopular(number, rows) {
  const span = Math.max(1, Math.floor(rows * 0.09));
  const viewsAbove = Math.floor(rows * 0.9) + (number % span);
  return { ...NEWEST, sort: 'views', viewsAbove, limit: 20 + (Math.floor(number / span) % 10) };
}

const read = (ask) => ({ action: 'list', ask });
const withWriter = (line) => ({ ...line, hasWriter: true });
const article = (number, rows) => ({
  title: `${toPair(number)} ${toRareWord(number)} new`,
  body: 'An article of the bench.',
  published: true,
  views: number % rows,
  author: 1 + (number % AUTHORS),
});

const LIST = read((number) => ({ ...NEWEST, ...toPage(number) }));
const WITH_AUTHOR = read((number) => ({ ...NEWEST, ...toPage(number), hasAuthor: true }));
const SAME = read(() => ({ ...NEWEST, hasTotal: true }));
const TOTAL = read((number) => ({ ...NEWEST, ...toPage(number), hasTotal: true }));
const ROW = { action: 'detail', ask: (number, rows) => ({ id: toId(number, rows) }) };
const ROW_WITH_AUTHOR = { action: 'detail', ask: (number, rows) => ({ id: toId(number, rows), hasAuthor: true }) };
const CREATE = { action: 'create', ask: (number, rows) => ({ values: article(number, rows) }) };
export const UPDATE = {
  action: 'update',
  ask: (number, rows) => ({ id: toId(number, rows), values: { views: (number * 31) % rows } }),
};

/** 45 lists, 45 rows with their authors, 5 creates and 5 updates of a hundred. */
const MIXED = {
  action: 'mixed',
  ask(number, rows) {
    const at = number % 20;
    const [action, line] =
      at === 0
        ? ['create', CREATE]
        : at === 10
          ? ['update', UPDATE]
          : at % 2 === 0
            ? ['list', LIST]
            : ['detail', ROW_WITH_AUTHOR];
    return { action, ...line.ask(number, rows) };
  },
};

/**
 * Lines by title. `ask` gives what the request of a number asks for, in a table of so many rows. `isWrite`: also measured
 * without the sync of each commit. `isLast`: takes rows away, so that others come before it.
 */
export const LINES = {
  'list, 20 newest, total, same': SAME,
  'list, 20 newest, no total, same': read(() => NEWEST),
  'list, total, varied': TOTAL,
  'list, no total, varied': LIST,
  'list, total, same, with a writer': withWriter(SAME),
  'list, total, varied, with a writer': withWriter(TOTAL),
  'list, no total, varied, with a writer': withWriter(LIST),
  'list with authors, no total, varied': WITH_AUTHOR,
  'list with authors, no total, varied, with a writer': withWriter(WITH_AUTHOR),
  'row by id, varied': ROW,
  'row by id, varied, with a writer': withWriter(ROW),
  'row by id with its author, varied': ROW_WITH_AUTHOR,
  'filter of a flag and a number, sorted, no total, varied': read(toPopular),
  'two words, total, varied': read((number) => ({
    sort: 'id',
    limit: 20,
    offset: 0,
    hasTotal: true,
    words: [WORDS[number % WORDS.length], toRareWord(Math.floor(number / WORDS.length))],
  })),
  'part of a word, total, varied': read((number) => ({
    sort: 'id',
    limit: 20,
    offset: 0,
    hasTotal: true,
    contains: toRareWord(number).slice(1),
  })),
  'page in the middle, no total, varied': read(toDeep),
  create: { ...CREATE, isWrite: true },
  'update of a number': { ...UPDATE, isWrite: true },
  'update of a text with words': {
    action: 'update',
    ask: (number, rows) => ({ id: toId(number, rows), values: { title: article(number, rows).title } }),
    isWrite: true,
  },
  'mixed, 90 % reads': { ...MIXED, isWrite: true },
  delete: { action: 'delete', ask: (number, rows) => ({ id: rows - number }), isWrite: true, isLast: true },
};

/** With an index of both columns on both sides. */
export const INDEXED = { 'the same filter, with an index of both columns': read(toPopular) };

/** The line that tells how soon a server is warm. */
export const START_LINE = 'row by id with its author, varied';
