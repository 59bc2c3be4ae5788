// Also on PostgreSQL: what a file brings must come back from each database as it was.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readRows } from '../../src/rows/read.ts';
import { type Place, placeDatabase } from '../database/_where.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const places: Place[] = [];
const test = suite('cli/real-file');
test.after(async () => {
  folders.remove();
  for (const place of places) await place.remove();
});

const file = (name: string): string => fileURLToPath(new URL(`../fixture/data/${name}`, import.meta.url));
const fields = (types: Readonly<Record<string, string>>, more: Readonly<Record<string, object>> = {}) =>
  Object.entries(types).map(([name, type]) => ({ name, type, ...more[name] }));

interface Case {
  readonly file: string;
  readonly schema: string;
  readonly fields: readonly object[];
  /** Keys of the file with the columns that they fill, where these are not the fields of that name. */
  readonly map?: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
  {
    file: 'gtfs-stops.csv',
    schema: 'stop',
    fields: fields(
      { stop_id: 'text', stop_name: 'text', stop_lat: 'float', stop_lon: 'float', location_type: 'small' },
      { stop_id: { unique: true } },
    ),
    map: { stop_id: 'stop_stop_id' },
  },
  {
    file: 'gtfs-stop-times.csv',
    schema: 'visit',
    fields: fields({
      trip_id: 'text',
      arrival_time: 'text',
      departure_time: 'text',
      stop_code: 'text',
      stop_sequence: 'number',
    }),
  },
  {
    file: 'wordpress-posts.ndjson',
    schema: 'post',
    fields: fields({
      post_name: 'slug',
      title: 'text',
      status: 'text',
      published: 'datetime',
      body: 'textarea',
      comment_count: 'number',
    }),
  },
  {
    file: 'geo-features.ndjson',
    schema: 'place',
    fields: fields({ code: 'text', geometry: 'rawjson', properties: 'rawjson' }),
  },
  {
    file: 'products.csv',
    schema: 'product',
    fields: fields({ sku: 'text', ean: 'text', title: 'text', price: 'price', weight: 'float', stock: 'number' }),
  },
  {
    file: 'museum-objects.ndjson',
    schema: 'piece',
    fields: fields({
      number: 'text',
      title: 'text',
      year: 'number',
      width: 'float',
      acquired: 'date',
      note: 'textarea',
    }),
  },
];

async function read(text: string): Promise<Record<string, unknown>[]> {
  async function* pieces() {
    yield text;
  }
  const rows: Record<string, unknown>[] = [];
  for await (const part of readRows(pieces(), { format: undefined }))
    for (const row of part) rows.push({ ...(row as { values: object }).values });
  return rows;
}

/** A cell of CSV has no type: numbers are compared as numbers. PostgreSQL's jsonb keeps the keys in an order of its own. */
const same = (given: unknown, got: unknown): boolean =>
  isDeepStrictEqual(given ?? null, got ?? null) ||
  (typeof got === 'number' && typeof given === 'string' && Number(given) === got);

for (const { file: name, schema, fields: list, map = {} } of CASES) {
  test(`${name} comes back value by value, and its export imports again unchanged`, async () => {
    const root = folders.makeProject('bare');
    const place = await placeDatabase('var/app.db');
    places.push(place);
    mkdirSync(join(root, 'config/schema'), { recursive: true });
    const definition = { name: schema, singular: schema, plural: `${schema}s`, fields: list };
    writeFileSync(join(root, `config/schema/${schema}.json`), JSON.stringify(definition));
    const at = async (...argv: string[]): Promise<string> => {
      const done = await run(argv, { cwd: root, env: { DATABASE_URL: place.url } });
      assert.is(done.code, 0, `${argv.join(' ')}: ${done.out}${done.err}`);
      return done.out;
    };
    await at('migrate');
    const maps = Object.entries(map).flatMap(([key, column]) => ['--map', `${key}=${column}`]);
    await at('import', schema, file(name), ...maps);
    const given = await read(readFileSync(file(name), 'utf8'));
    const exported = await at('export', schema);
    const got = await read(exported);
    assert.is(got.length, given.length);
    for (const [index, row] of given.entries())
      for (const { name: key } of list as { name: string }[]) {
        const value = got[index]?.[`${schema}_${key}`];
        assert.ok(same(row[key], value), `${key} of row ${index + 1}: ${JSON.stringify([row[key], value])}`);
      }
    for (const format of ['csv', 'json', 'ndjson']) {
      writeFileSync(join(root, `copy.${format}`), await at('export', schema, '--format', format));
      await at('import', schema, `copy.${format}`);
      assert.is(await at('export', schema), exported, format);
    }
  });
}

test('check names a field whose name is that of a key, and what each means', async () => {
  const root = folders.makeProject('bare');
  mkdirSync(join(root, 'config/schema'), { recursive: true });
  const definition = {
    name: 'stop',
    singular: 'Stop',
    plural: 'Stops',
    fields: fields({ stop_id: 'text', name: 'text' }),
  };
  writeFileSync(join(root, 'config/schema/stop.json'), JSON.stringify(definition));
  const told = await run(['check'], { cwd: root });
  const text = `${told.out}${told.err}`;
  assert.match(text, 'The field "stop_id" of "stop" has the column "stop_stop_id", and "stop_id" is the primary key.');
  assert.match(text, '--map stop_id=stop_stop_id');
});

test.run();
