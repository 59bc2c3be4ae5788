// Also on PostgreSQL: rows with their own ids must not meet those that the database counts up.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Place, placeDatabase } from '../database/_where.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const places: Place[] = [];
const test = suite('cli/seed');
test.after(async () => {
  folders.remove();
  for (const place of places) await place.remove();
});

interface Project {
  readonly root: string;
  write(file: string, text: string): void;
  at(...argv: string[]): Promise<RunResult>;
  seed(...argv: string[]): Promise<readonly { schema: string; created: number; known: number; left: number }[]>;
}

async function makeProject(template: 'blog' | 'bare'): Promise<Project> {
  const root = folders.makeProject(template);
  const place = await placeDatabase('var/app.db');
  places.push(place);
  const env = { DATABASE_URL: place.url };
  const at = (...argv: string[]): Promise<RunResult> => run(argv, { cwd: root, env });
  const project: Project = {
    root,
    write: (file, text) => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
    at,
    async seed(...argv) {
      const { code, out, err } = await at('seed', ...argv, '--json');
      assert.is(code, 0, out + err);
      return JSON.parse(out).schemas;
    },
  };
  return project;
}

const toSchema = (name: string, more: object): string =>
  JSON.stringify({ name, singular: name, plural: `${name}s`, ...more });

/** Two schemas, the second of which belongs to the first and sorts before it by name. */
async function makeShop(): Promise<Project> {
  const project = await makeProject('bare');
  project.write(
    'config/schema/shelf.json',
    toSchema('shelf', {
      fields: [
        { name: 'code', type: 'slug', unique: true },
        { name: 'title', type: 'text', required: true },
        { name: 'active', type: 'active' },
      ],
    }),
  );
  project.write(
    'config/schema/book.json',
    toSchema('book', { fields: [{ name: 'title', type: 'text' }], relations: [{ schema: 'shelf', kind: '1:1' }] }),
  );
  assert.is((await project.at('migrate', '--yes')).code, 0);
  return project;
}

test('the blog is seeded by one command, and a second one changes nothing', async () => {
  const blog = await makeProject('blog');
  assert.is((await blog.at('migrate', '--yes')).code, 0);
  const trial = await blog.seed('--dry-run');
  assert.equal(
    trial.map(({ schema }) => schema),
    ['article', 'profile', 'comment'],
  );
  const first = await blog.seed();
  assert.equal(first, trial);
  assert.ok(first.every(({ created, known, left }) => created > 0 && known === 0 && left === 0));
  const second = await blog.seed();
  assert.ok(
    second.every(({ created }) => created === 0),
    JSON.stringify(second),
  );
  assert.match((await blog.at('seed')).out, /profile: created 0, 4 there already/);
  // The next row of a person gets an id of its own.
  const made = await blog.at('emit', 'system-model-create', 'schema=profile', 'profile_name=New', '--json');
  assert.is(made.code, 0, made.out + made.err);
});

test('somebody who signed up before stays who they are', async () => {
  const blog = await makeProject('blog');
  assert.is((await blog.at('migrate', '--yes')).code, 0);
  const made = await blog.at('emit', 'system-model-create', 'schema=profile', 'profile_name=Ada');
  assert.is(made.code, 0, made.err);
  const told = await blog.seed();
  assert.is(told.find(({ schema }) => schema === 'profile')?.known, 1);
  const { out } = await blog.at('export', 'profile', '--format', 'csv');
  assert.match(out, /Ada/);
  assert.not.match(out, /Ines/);
});

test('parents come first; what is there stays as it is, removed rows too', async () => {
  const shop = await makeShop();
  shop.write('fixture/shelf.csv', 'shelf_id,code,title\n7,a-1,Low\n8,a-2,High\n');
  shop.write('fixture/book.ndjson', '{"title":"One","shelf_id":7}\n');
  shop.write('fixture/readme.md', '# Rows to begin with\n');
  assert.equal(await shop.seed(), [
    { schema: 'shelf', created: 2, known: 0, left: 0 },
    { schema: 'book', created: 1, known: 0, left: 0 },
  ]);
  await shop.at('emit', 'system-model-update', 'schema=shelf', 'shelf_id=7', 'shelf_title=Changed');
  await shop.at('emit', 'system-model-remove', 'schema=shelf', 'shelf_id=8');
  // By the unique column, without an id.
  shop.write('fixture/shelf.csv', 'code,title\na-1,Low\na-2,High\na-3,Third\n');
  assert.equal(await shop.seed(), [
    { schema: 'shelf', created: 1, known: 2, left: 0 },
    { schema: 'book', created: 0, known: 0, left: 1 },
  ]);
  const { out } = await shop.at('export', 'shelf', '--format', 'csv');
  assert.match(out, /Changed/);
  assert.match(out, /Third/);
  assert.not.match(out, /High/);
});

test('one bad row takes all files back', async () => {
  const shop = await makeShop();
  shop.write('fixture/shelf.csv', 'code,title\na-1,Low\n');
  shop.write('fixture/book.ndjson', '{"title":"One","shelf_id":99}\n');
  const failed = await shop.at('seed');
  assert.is(failed.code, 1);
  assert.match(failed.err, /Nothing was created\. book: 1 invalid row/);
  assert.is((await shop.at('export', 'shelf', '--format', 'ndjson')).out.trim(), '');
});

test('a file of no schema, two of one, no folder and no file are told', async () => {
  const shop = await makeShop();
  rmSync(join(shop.root, 'fixture'), { recursive: true, force: true });
  assert.match((await shop.at('seed')).err, /There is no folder fixture/);
  shop.write('fixture/readme.md', 'x');
  assert.match((await shop.at('seed')).err, /fixture has no file with rows/);
  shop.write('fixture/shelve.csv', 'code\nx\n');
  assert.match((await shop.at('seed')).err, /there is no schema "shelve"[\s\S]*shelf/);
  shop.write('other/shelf.csv', 'code,title\nx,X\n');
  shop.write('other/shelf.json', '[]');
  assert.match((await shop.at('seed', 'other')).err, /are of one schema/);
});

test('a database in production needs --yes', async () => {
  const shop = await makeShop();
  shop.write('fixture/shelf.csv', 'code,title\na-1,Low\n');
  const env = { NODE_ENV: 'production', DATABASE_URL: places.at(-1)?.url };
  const at = (...argv: string[]): Promise<RunResult> => run(argv, { cwd: shop.root, env });
  const refused = await at('seed');
  assert.is(refused.code, 64);
  assert.match(refused.err, /served in production[\s\S]*--yes/);
  assert.is((await at('seed', '--dry-run')).code, 0);
  assert.is((await at('seed', '--yes')).code, 0);
});

test.run();
