// The project of the part "peer": 1,000 authors, and articles that name one each. Both sides hold the same rows.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { WORDS } from '../fill.mjs';

const run = promisify(execFile);

/** Words of which each stands in one title of a thousand; all are as long as each other, so none begins another. */
export const toRareWord = (number) => `k${String(number % 1000).padStart(4, '0')}`;

/** Words that look drawn, the same for a seed each time. */
function pick(seed, count) {
  let state = seed + 1;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return WORDS[Math.floor(state / 65_536) % WORDS.length];
  });
}

/** A minute each. */
const toCreated = (id, rows) =>
  new Date(Date.UTC(2020, 0, 1) + ((id * 7919) % rows) * 60_000).toISOString().slice(0, 19).replace('T', ' ');

/**
 * One row, by names that belong to neither side. No two were created in one second or have as many views, so that each
 * order is the only one: `rows` is no multiple of 7919 or 104,729.
 */
export const toArticle = (id, rows) => ({
  id,
  title: `${pick(id, 4).join(' ')} ${toRareWord(id * 13)}`,
  body: pick(id, 50).join(' '),
  published: id % 10 < 7,
  views: (id * 104_729) % rows,
  author: 1 + ((id * 37) % AUTHORS),
  created: toCreated(id, rows),
});

export const AUTHORS = 1000;
export const toAuthorName = (id) => `Author ${id}`;

const FLAGS = { filterable: true, sortable: true };
const SCHEMAS = [
  {
    name: 'author',
    singular: 'Author',
    plural: 'Authors',
    display: '{{author_name}}',
    fields: [{ name: 'name', type: 'text' }],
  },
  {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    display: '{{article_title}}',
    // Without a field of the type "active" a removal deletes the row, as the peer does.
    fields: [
      { name: 'title', type: 'text', searchable: true, ...FLAGS },
      { name: 'body', type: 'textarea' },
      { name: 'published', type: 'switch', ...FLAGS },
      { name: 'views', type: 'number', ...FLAGS },
      { name: 'created', type: 'created', ...FLAGS },
      { name: 'updated', type: 'updated' },
    ],
    relations: [{ schema: 'author', kind: '1:0' }],
  },
];

const CALLS = {
  search: ['get', 'search'],
  detail: ['get', 'detail/:article_id'],
  create: ['post', 'create'],
  update: ['patch', 'update/:article_id'],
  remove: ['delete', 'remove/:article_id'],
};

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const cli = (treadle, project, ...args) =>
  run(process.execPath, [treadle, ...args, '--cwd', project], {
    env: { ...process.env, CI: 'true' },
    maxBuffer: 2 ** 26,
  });

async function importRows(treadle, project, schema, rows) {
  const file = join(project, `${schema}.ndjson`);
  const stream = createWriteStream(file);
  for (const row of rows) if (!stream.write(`${JSON.stringify(row)}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
  await cli(treadle, project, 'import', schema, file);
  rmSync(file);
}

function* listAuthors() {
  for (let author_id = 1; author_id <= AUTHORS; author_id += 1) yield { author_id, name: toAuthorName(author_id) };
}

function* listArticles(rows) {
  for (let number = 1; number <= rows; number += 1) {
    const { id: article_id, author: author_id, published, ...article } = toArticle(number, rows);
    yield { article_id, ...article, published: published ? 1 : 0, author_id };
  }
}

/** Creates the project and imports its rows by the program's own command, which also keeps what a search needs. */
export async function fillTreadle({ treadle, project, rows }) {
  await run(process.execPath, [treadle, 'create', project, '--template', 'bare', '--no-install', '--no-git'], {
    env: { ...process.env, CI: 'true' },
  });
  for (const schema of SCHEMAS) writeJson(join(project, `config/schema/${schema.name}.json`), schema);
  mkdirSync(join(project, 'config/rest'), { recursive: true });
  for (const [action, [method, path]] of Object.entries(CALLS))
    writeJson(join(project, `config/rest/public-article-${action}.json`), {
      title: `Articles: ${action}`,
      access: 'public',
      method,
      path: `/public/article/${path}`,
      event: `system-model-${action}`,
      parameters: { schema: 'article' },
      open: true,
    });
  const settingsFile = join(project, 'config/settings.json');
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
  writeJson(settingsFile, { ...settings, limits: { perMinute: 1_000_000 } });
  await cli(treadle, project, 'migrate');
  await importRows(treadle, project, 'author', listAuthors());
  await importRows(treadle, project, 'article', listArticles(rows));
}

/**
 * Gives the articles an index of both columns of the filter, where this version of Treadle knows such definitions.
 *
 * @returns false if `treadle check` refuses it; then nothing is changed.
 */
export async function addIndex(treadle, project) {
  const file = join(project, 'config/schema/article.json');
  const former = readFileSync(file, 'utf8');
  writeJson(file, { ...JSON.parse(former), indexes: [{ columns: ['published', 'views'] }] });
  try {
    await cli(treadle, project, 'check');
  } catch {
    writeFileSync(file, former);
    return false;
  }
  await cli(treadle, project, 'migrate');
  return true;
}
