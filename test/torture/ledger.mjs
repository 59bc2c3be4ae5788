// A ledger of a million rows by import: sums and averages by group, from calls, exports and a page, against exact arithmetic of
// integers. Prints the values that were compared, and how many differ: none may.
// Usage: node test/torture/run.mjs ledger [--short] [--seed n]. --short imports 20,000 rows.
// On PostgreSQL with TREADLE_TEST_POSTGRES=postgres://root@127.0.0.1:5432/postgres.

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { boot } from '../boot.ts';
import { createNext } from '../store/read/_decimal.ts';

const words = process.argv.slice(2);
const at = words.indexOf('--seed');
const seed = at < 0 ? 1 : Number(words[at + 1]);
const count = words.includes('--short') ? 20_000 : 1_000_000;

const ACCOUNTS = 97;
/** Columns, with the digits after the point. */
const SCALES = { amount: 2, rate: 6, tiny: 15, whole: 0 };
const NAMES = Object.keys(SCALES);
const flags = { filterable: true, sortable: true };
const LEDGER = {
  ...{ name: 'ledger', singular: 'Ledger', plural: 'Ledgers' },
  fields: [
    { name: 'account', type: 'text', ...flags },
    ...NAMES.map((name) => ({ name, type: 'decimal', precision: 15, scale: SCALES[name], ...flags })),
  ],
};
const CALL = {
  ...{ title: 'Groups', access: 'public', method: 'get', path: '/public/ledger/search', event: 'system-model-search' },
  ...{ parameters: { schema: 'ledger' }, open: true, aggregate: ['group', 'sum', 'average'] },
};
const CODE = `
import type { App } from 'treadle';
export default function ledger(app: App) {
  app.get('/ledger/:column', async (request, response) => {
    const column = String(request.getStage('column'));
    const found = await app.emit('system-model-search', { schema: 'ledger', group: 'ledger_account', sum: column, average: column, limit: 100 } as never);
    response.setContent(await app.package('/app/www').template('ledger', { rows: (found as never as { getResults(key: string): unknown }).getResults('rows') }));
    await app.emit('www-render-page', request, response);
  });
}
`;
const PAGE = '<ul>{{#each rows}}<li data-row>{{ledger_account}}|{{count}}|{{total}}|{{average}}</li>{{/each}}</ul>\n';

/** A whole number of the smallest unit as text, by other code than that which is tried. */
function print(units, scale) {
  if (scale === 0) return String(units);
  const one = 10n ** BigInt(scale);
  const size = units < 0n ? -units : units;
  return `${units < 0n ? '-' : ''}${size / one}.${String(size % one).padStart(scale, '0')}`;
}

/** The mean, with four digits more; halves go away from zero. */
function mean(sum, values, scale) {
  if (values === 0n) return null;
  const size = (sum < 0n ? -sum : sum) * 10_000n;
  const rounded = size / values + ((size % values) * 2n >= values ? 1n : 0n);
  return print(sum < 0n ? -rounded : rounded, scale + 4);
}

/** Sums by account and column. */
class Book {
  rows = new Map();
  sums = new Map();

  add(account, units) {
    this.rows.set(account, (this.rows.get(account) ?? 0) + 1);
    for (const name of NAMES) {
      if (units[name] === undefined) continue;
      const key = `${account} ${name}`;
      const { sum, values } = this.sums.get(key) ?? { sum: 0n, values: 0n };
      this.sums.set(key, { sum: sum + units[name], values: values + 1n });
    }
  }

  find(account, name) {
    return this.sums.get(`${account} ${name}`) ?? { sum: 0n, values: 0n };
  }
}

/** Small ones, large ones, and none. */
function draw(next) {
  const kind = next();
  if (kind < 0.05) return undefined;
  const size = kind < 0.6 ? 10 ** (1 + Math.floor(next() * 6)) : 10 ** 15 - 1;
  const units = BigInt(Math.floor(next() * size));
  return next() < 0.4 ? -units : units;
}

async function writeRows(file, book) {
  const next = createNext(seed);
  const out = createWriteStream(file);
  out.write(`ledger_account,${NAMES.map((name) => `ledger_${name}`).join()}\n`);
  for (let index = 0; index < count; index += 1) {
    const account = `a${String(Math.floor(next() * ACCOUNTS)).padStart(2, '0')}`;
    const units = Object.fromEntries(NAMES.map((name) => [name, draw(next)]));
    book.add(account, units);
    const cells = NAMES.map((name) => (units[name] === undefined ? '' : print(units[name], SCALES[name])));
    if (!out.write(`${account},${cells.join()}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

const state = { compared: 0, differing: 0 };
function compare(what, got, wanted) {
  state.compared += 1;
  if (got === wanted) return;
  state.differing += 1;
  if (state.differing <= 10) process.stdout.write(`${what}: ${got} instead of ${wanted}\n`);
}

function compareGroup(what, { account, rows, total, average }, name, book) {
  const { sum, values } = book.find(account, name);
  compare(`${what} ${account} ${name} rows`, Number(rows), book.rows.get(account));
  compare(`${what} ${account} ${name} total`, total, print(sum, SCALES[name]));
  compare(`${what} ${account} ${name} average`, average, mean(sum, values, SCALES[name]));
}

/** Tries of a read that the server puts off while the machine is busy with others. */
const TRIES = 30;

async function ask(site, path) {
  for (let tries = 1; ; tries += 1) {
    const answer = await site.get(path);
    if (answer.status === 200) return answer;
    if (answer.status !== 503 || tries === TRIES)
      throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    await setTimeout(1000);
  }
}

async function compareCalls(site, book) {
  for (const name of NAMES) {
    const column = `sum=ledger_${name}&average=ledger_${name}`;
    const answer = await ask(site, `/rest/public/ledger/search?group=ledger_account&${column}&limit=100`);
    const { rows } = answer.json().results;
    compare(`call ${name} groups`, rows.length, book.rows.size);
    for (const { ledger_account: account, count: found, total, average } of rows)
      compareGroup('call', { account, rows: found, total, average }, name, book);
    const whole = (await ask(site, `/rest/public/ledger/search?${column}`)).json().results.rows[0];
    const all = [...book.rows.keys()].map((account) => book.find(account, name));
    const sum = all.reduce((total, one) => total + one.sum, 0n);
    const values = all.reduce((total, one) => total + one.values, 0n);
    compare(`call ${name} all`, whole.total, print(sum, SCALES[name]));
    compare(`call ${name} average of all`, whole.average, mean(sum, values, SCALES[name]));
  }
}

async function comparePages(site, book) {
  for (const name of NAMES) {
    const { text } = await ask(site, `/ledger/ledger_${name}`);
    const rows = [...text.matchAll(/<li data-row>(.*?)<\/li>/g)].map(([, cells]) => cells.split('|'));
    compare(`page ${name} groups`, rows.length, book.rows.size);
    for (const [account, found, total, average] of rows)
      compareGroup('page', { account, rows: found, total, average: average === '' ? null : average }, name, book);
  }
}

const unquote = (cell) => cell.replace(/^"|"$/g, '').replace(/^'(?=-)/, '');

/** Units of a text with exactly so many digits. */
function read(text, scale, what) {
  const isWhole = new RegExp(`^-?\\d+${scale === 0 ? '' : `\\.\\d{${scale}}`}$`).test(text);
  if (!isWhole) compare(what, text, `a decimal of ${scale} digits after the point`);
  return isWhole ? BigInt(text.replace('.', '')) : 0n;
}

async function compareExports(site, book) {
  for (const format of ['csv', 'ndjson']) {
    const file = join(site.root, `out.${format}`);
    await site.cli('export', 'ledger', '--out', file);
    const found = new Book();
    let names;
    for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
      const cells =
        format === 'csv'
          ? line
              .replace(/^\ufeff/, '')
              .split(',')
              .map(unquote)
          : undefined;
      if (cells !== undefined && names === undefined) {
        names = cells;
        continue;
      }
      if (line === '') continue;
      const row =
        cells === undefined ? JSON.parse(line) : Object.fromEntries(cells.map((cell, at) => [names[at], cell]));
      const units = Object.fromEntries(
        NAMES.map((name) => {
          const text = row[`ledger_${name}`];
          const isNothing = text === null || text === '';
          return [name, isNothing ? undefined : read(text, SCALES[name], `export ${format} ${name}`)];
        }),
      );
      found.add(row.ledger_account, units);
    }
    for (const [account, rows] of book.rows) {
      compare(`export ${format} ${account} rows`, found.rows.get(account), rows);
      for (const name of NAMES) {
        compare(`export ${format} ${account} ${name}`, found.find(account, name).sum, book.find(account, name).sum);
        compare(
          `export ${format} ${account} ${name} values`,
          found.find(account, name).values,
          book.find(account, name).values,
        );
      }
    }
  }
}

const site = await boot({
  template: 'bare',
  settings: { limits: { readSeconds: 30 } },
  files: {
    'config/schema/ledger.json': LEDGER,
    'config/rest/ledger.json': CALL,
    'app/www/src/template/ledger.html': PAGE,
  },
  change: (project) => project.addController('ledger', CODE),
});
try {
  const book = new Book();
  await writeRows(join(site.root, 'ledger.csv'), book);
  await site.cli('import', 'ledger', 'ledger.csv', '--yes');
  compare('rows', (await ask(site, '/rest/public/ledger/search?limit=1')).json().results.total, count);
  await compareCalls(site, book);
  await comparePages(site, book);
  await compareExports(site, book);
} finally {
  await site.close();
}
const { compared, differing } = state;
const database = process.env.TREADLE_TEST_POSTGRES === undefined ? 'SQLite' : 'PostgreSQL';
process.stdout.write(`${count} rows on ${database}: ${compared} values compared, ${differing} differences\n`);
process.exit(differing === 0 ? 0 : 1);
