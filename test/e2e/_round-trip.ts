// Every field type, way in and way out, with hard values: what comes out is what went in.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { boot, type Site } from '../boot.ts';
import { type Answer, Client } from '../client.ts';
import { readForm } from '../form-post.ts';

interface Column {
  readonly type: string;
  readonly more?: object;
  /** Values that come back as they are. */
  readonly values: readonly unknown[];
  /** True if a search may sort and group by it. */
  readonly isSorted?: boolean;
}

const options = ['a', 'b', 'c,d'].map((key) => ({ key, value: key }));
const TEXTS = [
  ...['{"a":1}', '[1,2]', '"x"', 'null', 'true', '0', '007', '1e3', '9007199254740993', '901656910939770881'],
  ...['=1+1', '-2', '+3', '@x', "'quoted'", 'a "b", c;d', 'x'.repeat(61), '😀 é Ω', 'a\\nb', '<b>&amp;</b>', '%_'],
];
const DOUBLES = [
  ...[2 / 3, 0.1, 0.1 + 0.2, -1 / 7, 1e21, 1e-7, 123456789.12345679, 9007199254740994, 5, 0, 4.35],
  ...[1.797e308, -1.797e308, Number.MAX_VALUE, 5e-324, 2.2250738585072014e-308],
];

const COLUMNS: Readonly<Record<string, Column>> = {
  text: { type: 'text', values: TEXTS, isSorted: true },
  area: { type: 'textarea', values: [...TEXTS, 'a\nb', ' a ', '\ttab'] },
  markdown: { type: 'markdown', values: ['# a\n\n* b', '`x`'] },
  code: { type: 'code', values: ['{\n  "a": 1\n}', "if (a < b) { '…' }"] },
  html: { type: 'wysiwyg', values: ['<p>a &amp; <strong>b</strong></p>'] },
  search: { type: 'search', values: ['0x10', '1.0'] },
  email: { type: 'email', values: ['ann+b@example.org'] },
  url: { type: 'url', values: ['https://example.org/?a=1&b=%20#c'] },
  mask: { type: 'mask', more: { attributes: { 'data-mask': '999' } }, values: ['007'] },
  slug: { type: 'slug', values: ['007', 'a-b'] },
  color: { type: 'color', values: ['#00ff00'] },
  number: { type: 'number', values: [0, -7, 2 ** 53 - 1, 1 - 2 ** 53], isSorted: true },
  parts: { type: 'number', more: { attributes: { step: '0.001' } }, values: [0.001, 9.999], isSorted: true },
  range: { type: 'range', values: [0, 100] },
  small: { type: 'small', values: [0, 255] },
  float: { type: 'float', values: DOUBLES, isSorted: true },
  price: { type: 'price', values: [0.1, 0.3, 19.99, -0.01, 9_999_999_999_999.99], isSorted: true },
  stars: { type: 'stars', values: [0.5, 5] },
  money: {
    type: 'decimal',
    values: ['0.00', '-0.05', '12.50', '9999999999999.99', '-9999999999999.99'],
    isSorted: true,
  },
  rate: { type: 'decimal', more: { precision: 9, scale: 6 }, values: ['0.000001', '-999.999999'], isSorted: true },
  whole: { type: 'decimal', more: { scale: 0 }, values: ['0', '-7', '999999999999999'], isSorted: true },
  tiny: { type: 'decimal', more: { scale: 15 }, values: ['0.123456789012345', '-0.000000000000001'], isSorted: true },
  date: { type: 'date', values: ['2024-02-29', '0999-01-01'], isSorted: true },
  time: { type: 'time', values: ['00:00:00', '23:59:59'] },
  at: { type: 'datetime', values: ['2026-01-31 23:59:59', '1969-12-31 00:00:00'], isSorted: true },
  week: { type: 'week', values: ['2026-W53'] },
  month: { type: 'month', values: ['2026-01'] },
  check: { type: 'checkbox', values: [0, 1] },
  switch: { type: 'switch', values: [0, 1] },
  select: { type: 'select', more: { options }, values: ['a', 'c,d'] },
  radios: { type: 'radios', more: { options }, values: ['b'] },
  country: { type: 'countrylist', values: ['DE'] },
  many: { type: 'multiselect', more: { options }, values: [['b', 'a'], ['c,d']] },
  boxes: { type: 'checkboxes', more: { options }, values: [['a', 'b']] },
  tag: {
    type: 'tag',
    values: [
      ['b', 'a'],
      ['007', '1e3', 'x, y'],
    ],
  },
  lines: { type: 'textlist', values: [['{"a":1}', '=1', '007']] },
  areas: { type: 'textarealist', values: [['a\nb', 'c']] },
  htmls: { type: 'wysiwyglist', values: [['<p>a</p>', '<p>b</p>']] },
  meta: { type: 'meta', values: [{ a: 1, b: '1', c: 2 / 3, e: true }] },
  place: { type: 'latlng', values: [[48.85837009, -2.29448139]] },
  json: { type: 'rawjson', values: [...TEXTS, { a: [2 / 3, '5', 5, null, { b: '' }] }, [1.797e308], 5e-324, true, []] },
  table: { type: 'table', more: { columns: ['x', 'y'] }, values: [[{ x: '1', y: 1 }]] },
  sliders: { type: 'multirange', values: ['10;50'] },
};

/** Columns with computed fields of the same value: one that a statement computes, and one that is stored. */
const MIRRORED = ['text', 'small', 'price', 'stars', 'date', 'at', 'check'];

/** The columns that have a cell's value. */
const toKeys = (name: string): readonly string[] =>
  ['', ...(MIRRORED.includes(name) ? ['copy_', 'store_'] : [])].map((start) => `thing_${start}${name}`);

const SCHEMA = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  fields: [
    { name: 'cell', type: 'text', filterable: true, sortable: true },
    ...['created', 'active'].map((type) => ({ name: type, type })),
    // An empty period, which a copy of the row does not overlap.
    ...['first', 'last'].map((name) => ({ name, type: 'number', default: 7 })),
    ...Object.entries(COLUMNS).map(([name, { type, more, isSorted = false }]) => ({
      ...{ name, type, ...more },
      ...(isSorted ? { sortable: true, filterable: true } : {}),
    })),
    ...MIRRORED.flatMap((name) => [
      { name: `copy_${name}`, type: 'computed', expression: name },
      { name: `store_${name}`, type: 'computed', expression: name, stored: true },
    ]),
  ],
  exclude: [{ columns: ['cell'], range: ['first', 'last'] }],
};
const CODE = `
import type { App } from 'treadle';
export default function form(app: App) {
  app.post('/form', async (request, response) => {
    await app.emit('system-model-create', request.setStage('schema', 'thing'), response);
  });
}
`;
const HOOK = {
  ...{ title: 'Made', description: 'A thing was made', event: 'system-model-create', parameters: { schema: 'thing' } },
  ...{ type: 'thing.made', method: 'post', url: 'http://127.0.0.1:9/hook', delivery: 'queued', secretVersion: 1 },
};
const call = (method: string, path: string, action: string, more = {}) => ({
  ...{ title: action, access: 'public', method, path: `/public/thing/${path}`, event: `system-model-${action}` },
  ...{ parameters: { schema: 'thing' }, open: true, ...more },
});

interface Cell {
  readonly way: string;
  readonly name: string;
  readonly value: unknown;
  /** Its row's `thing_cell`. */
  readonly cell: string;
}

type Row = Record<string, unknown>;
const toRow = ({ name, value, cell }: Cell): Row => ({ thing_cell: cell, [`thing_${name}`]: value });
const toText = (value: unknown, name?: string): string =>
  typeof value === 'object' || (name === 'json' && typeof value === 'string') ? JSON.stringify(value) : String(value);
const toTexts = (cell: Cell): Record<string, string> =>
  Object.fromEntries(
    Object.entries(toRow(cell)).map(([key, value]) => [
      key,
      toText(value, key === 'thing_cell' ? undefined : cell.name),
    ]),
  );

/** What a form of the `field` helper posts: it names the inputs whose text is JSON. */
const toForm = (cell: Cell): Record<string, string> =>
  cell.name === 'json' ? { ...toTexts(cell), '_field[]': 'thing_json' } : toTexts(cell);

function toMultipart(fields: Record<string, string>): Buffer {
  const parts = Object.entries(fields).map(
    ([key, value]) => `--edge\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(`${parts.join('')}--edge--\r\n`);
}

function expectDone(answer: Answer): void {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
}

type Enter = (site: Site, cells: readonly Cell[]) => Promise<void>;
const each =
  (enter: (site: Site, cell: Cell) => Promise<unknown>): Enter =>
  async (site, cells) => {
    for (const cell of cells) await enter(site, cell);
  };

export async function importFile(site: Site, file: string, text: string): Promise<void> {
  site.project.write(file, text);
  await site.cli('import', 'thing', file, '--yes');
}

function toCsv(cells: readonly Cell[]): string {
  const names = [...new Set(cells.flatMap((cell) => Object.keys(toRow(cell))))];
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = cells.map((cell) => {
    const texts = toTexts(cell);
    return names.map((name) => (texts[name] === undefined ? '' : quote(texts[name]))).join();
  });
  return `${names.join()}\n${lines.join('\n')}\n`;
}

const send = async (site: Site, json: unknown, path = 'create'): Promise<void> =>
  expectDone(await site.send('POST', `/rest/public/thing/${path}`, { json }));

export const WAYS: Readonly<Record<string, Enter>> = {
  rest: each((site, cell) => send(site, toRow(cell))),
  batch: each((site, cell) => send(site, { operations: [{ action: 'create', values: toRow(cell) }] }, 'batch')),
  form: each(async (site, cell) => expectDone(await site.send('POST', '/form', { form: toForm(cell) }))),
  plainForm: each(async (site, cell) => expectDone(await site.send('POST', '/form', { form: toTexts(cell) }))),
  multipart: each(async (site, cell) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
    expectDone(await site.send('POST', '/form', { body: toMultipart(toForm(cell)), headers }));
  }),
  emit: each((site, cell) => site.emit('system-model-create', { schema: 'thing', ...toRow(cell) })),
  ndjson: (site, cells) =>
    importFile(site, 'rows.ndjson', cells.map((cell) => `${JSON.stringify(toRow(cell))}\n`).join('')),
  json: (site, cells) => importFile(site, 'rows.json', JSON.stringify(cells.map(toRow))),
  csv: (site, cells) => importFile(site, 'rows.csv', toCsv(cells)),
};

const FILES: ReadonlySet<string> = new Set(['ndjson', 'json', 'csv']);

type Note = (cell: Pick<Cell, 'way' | 'name'>, out: string, got: unknown, wanted: unknown) => void;

const isSame = (got: unknown, wanted: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(got ?? null)), wanted);

/** Answers to one row: a detail, its text, a search, a write of the same value by its `ETag`. */
async function readCell(site: Site, cell: Cell, note: Note): Promise<void> {
  const { name, value } = cell;
  const key = `thing_${name}`;
  const searched = await site.get(`/rest/public/thing/search?filter[thing_cell]=${cell.cell}`);
  const [row] = searched.json().results.rows;
  for (const own of toKeys(name)) note(cell, `search of ${own}`, row?.[own], value);
  if (row === undefined) return;
  const path = `/rest/public/thing/detail/${row.thing_id}`;
  const detail = await site.get(path);
  for (const own of toKeys(name)) note(cell, `detail of ${own}`, detail.json().results[own], value);
  // The shortest text of a double.
  if (typeof value === 'number')
    for (const [out, { text }] of Object.entries({ 'search text': searched, 'detail text': detail }))
      note(cell, out, new RegExp(`"${key}":([^,}]+)`).exec(text)?.[1], String(value));
  const headers = { 'if-match': String(detail.headers.etag), 'content-type': 'application/json' };
  const body = JSON.stringify({ [key]: detail.json().results[key] });
  const written = await new Client(site.url).send('PATCH', `/rest/public/thing/update/${row.thing_id}`, {
    body,
    headers,
  });
  note(cell, 'write back', written.status === 200 ? written.json().results[key] : written.text, value);
  note(cell, 'ETag', (await site.get(path)).headers.etag, detail.headers.etag as string);
}

/** A form of the admin that is saved untouched, and one that copies the row. */
async function readForms(site: Site, cells: readonly Cell[], note: Note): Promise<void> {
  const ann = await site.as('Ann', ['admin']);
  const read = async (): Promise<ReadonlyMap<unknown, Row>> =>
    new Map((await site.rows('thing')).map((row) => [row.thing_id, row]));
  const before = await read();
  const byCell = new Map([...before.values()].map((row) => [row.thing_cell, row]));
  for (const cell of cells) {
    const row = byCell.get(cell.cell);
    if (row === undefined) continue;
    const [update, copy] = ['update', 'copy'].map((action) => `/admin/system/model/thing/${action}/${row.thing_id}`);
    const saved = await ann.post(update ?? '', readForm((await ann.get(update ?? '')).text));
    if (saved.status >= 400) note(cell, 'admin save', saved.text.slice(0, 200), 'saved');
    const { status, headers } = await ann.post(copy ?? '', readForm((await ann.get(copy ?? '')).text));
    if (status !== 303) note(cell, 'admin copy', status, headers.location ?? '');
  }
  const after = await read();
  const key = (cell: Cell): string => `thing_${cell.name}`;
  for (const cell of cells) {
    const row = byCell.get(cell.cell);
    if (row === undefined) continue;
    note(cell, 'admin save', after.get(row.thing_id), row);
    const copied = [...after.values()].find(
      ({ thing_id: id, thing_cell: own }) => own === cell.cell && !before.has(id),
    );
    // A form shows choices in the order of the options.
    if (cell.name === 'many' || cell.name === 'boxes') continue;
    note(cell, 'admin copy', copied?.[key(cell)], row[key(cell)]);
  }
}

/** What the web hook of each create carries. */
async function readHooks(site: Site, cells: readonly Cell[], note: Note): Promise<void> {
  const sent = (await site.rows('treadle_event')).map(({ data }) => JSON.parse(String(data)) as Row);
  const byCell = new Map(sent.map((row) => [row.thing_cell, row]));
  for (const cell of cells)
    for (const own of toKeys(cell.name)) note(cell, `web hook of ${own}`, byCell.get(cell.cell)?.[own], cell.value);
}

/** Rows on a page: some twenty pages, of which few end where values do. */
const PAGE = 31;

/** All pages by cursor in the order of a column: each row once. */
async function walk(site: Site, name: string, count: number, note: Note): Promise<void> {
  const ids = new Set<number>();
  let after = '';
  for (let page = 0; page * PAGE <= count + PAGE; page += 1) {
    const answer = await site.get(`/rest/public/thing/search?sort=thing_${name}&limit=${PAGE}${after}&total=0`);
    const { rows, next } = answer.json().results;
    for (const { thing_id: id } of rows) ids.add(id);
    if (next === undefined) break;
    after = `&after=${next}`;
  }
  note({ way: 'all', name }, 'cursor', ids.size, count);
}

async function readGroups(site: Site, name: string, cells: readonly Cell[], note: Note): Promise<void> {
  const answer = await site.get(`/rest/public/thing/group?group=thing_${name}&limit=100`);
  const values = answer.json().results.rows.map((row: Row) => row[`thing_${name}`]);
  for (const cell of cells) {
    const found = values.find((value: unknown) => isSame(value, cell.value));
    note(cell, 'group', found, cell.value);
  }
}

const unquote = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );

/** The rows of a CSV file, of which no cell has a line break. */
function parseCsv(text: string): Row[] {
  const records = text.replace(/^\ufeff/, '').match(/(?:[^"\r\n]|"(?:[^"]|"")*")+/g) ?? [];
  const [names = [], ...rows] = records.map(unquote);
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index]])));
}

async function readExports(site: Site, cells: readonly Cell[], note: Note): Promise<void> {
  for (const format of ['ndjson', 'json', 'csv']) {
    const file = join(site.root, `out.${format}`);
    await site.cli('export', 'thing', '--out', file);
    const text = readFileSync(file, 'utf8');
    const lines = (): Row[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
    const rows = format === 'csv' ? parseCsv(text) : format === 'json' ? (JSON.parse(text) as Row[]) : lines();
    const byCell = new Map(rows.map((row) => [row.thing_cell, row]));
    for (const cell of cells) {
      for (const own of toKeys(cell.name)) {
        const got = byCell.get(cell.cell)?.[own];
        // A text that a spreadsheet would run has an apostrophe before it.
        const shown = format === 'csv' ? String(got).replace(/^'(?=[=+\-@\t\r'])/, '') : got;
        note(cell, `export ${format} of ${own}`, shown, format === 'csv' ? toText(cell.value, cell.name) : cell.value);
      }
    }
  }
}

export interface Trip {
  readonly cells: number;
  readonly differences: readonly string[];
}

export interface TripOptions {
  readonly ways?: readonly string[];
  /** True for the values that are tried, besides the first of each column. */
  readonly isTried?: (index: number) => boolean;
}

/** A site with a schema of every type and its public calls. */
export const startTrip = (): Promise<Site> =>
  boot({
    template: 'bare',
    files: {
      'config/schema/thing.json': SCHEMA,
      'config/rest/create.json': call('post', 'create', 'create'),
      'config/rest/batch.json': call('post', 'batch', 'batch'),
      'config/rest/update.json': call('patch', 'update/:thing_id', 'update'),
      'config/rest/detail.json': call('get', 'detail/:thing_id', 'detail'),
      'config/rest/search.json': call('get', 'search', 'search'),
      'config/webhook/made.json': HOOK,
      'config/rest/group.json': call('get', 'group', 'search', { aggregate: ['group'] }),
    },
    change: (project) => project.addController('form', CODE),
  });

/** Takes the values through every way in and out. */
export async function tryRoundTrip({
  ways = Object.keys(WAYS),
  isTried = () => true,
}: TripOptions = {}): Promise<Trip> {
  const site = await startTrip();
  const differences: string[] = [];
  let count = 0;
  const note: Note = ({ way, name }, out, got, wanted) => {
    count += 1;
    if (!isSame(got, wanted))
      differences.push(`${name} ${way} → ${out}: ${JSON.stringify(got)} for ${JSON.stringify(wanted)}`);
  };
  try {
    let index = 0;
    const all = Object.entries(COLUMNS).flatMap(([name, { values }]) =>
      values.map((value, place) => ({ name, value, place, index: index++ })),
    );
    const cells: Cell[] = [];
    for (const [order, way] of ways.entries()) {
      const own = all
        .filter((item) => item.place === 0 || isTried(item.index * ways.length + order))
        .map(({ name, value, index: number }): Cell => ({ way, name, value, cell: `${way}-${number}` }));
      try {
        await WAYS[way]?.(site, own);
      } catch (error) {
        differences.push(`${way}: ${error instanceof Error ? error.message : error}`);
      }
      cells.push(...own);
    }
    for (const cell of cells) await readCell(site, cell, note);
    const { length } = await site.rows('thing');
    for (const [name, { isSorted }] of Object.entries(COLUMNS)) {
      if (!isSorted) continue;
      await walk(site, name, length, note);
      await readGroups(
        site,
        name,
        cells.filter((cell) => cell.name === name),
        note,
      );
    }
    await readExports(site, cells, note);
    // An import fires no web hook.
    await readHooks(
      site,
      cells.filter(({ way }) => !FILES.has(way)),
      note,
    );
    await readForms(
      site,
      cells.filter(({ way }) => way === ways[0]),
      note,
    );
    return { cells: count, differences };
  } finally {
    await site.close();
  }
}
