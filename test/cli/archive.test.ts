// Also on PostgreSQL: a dump moves rows between the databases.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { toShownUrl } from '../../src/cli/archive/project.ts';
import { noteRunning } from '../../src/cli/running.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { describe } from '../../src/database/archive/describe.ts';
import { readRows } from '../../src/database/archive/read-rows.ts';
import { Digest } from '../../src/database/archive/value.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createTables } from '../../src/database/table.ts';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import { FIELD_TYPES, type FieldType } from '../../src/model/shape/schema.ts';
import { placeUrl, removePlace } from '../database/_where.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/archive');
test.after(() => folders.remove());

const SAMPLES: Partial<Record<FieldType, unknown>> = {
  email: 'ann@example.org',
  url: 'https://example.org/a?b=1',
  slug: 'a-slug',
  color: '#0a5c66',
  wysiwyg: '<p>नमस्ते <b>"quoted"</b> 👩‍👩‍👧</p>',
  number: 9_007_199_254_740_991,
  range: 5,
  small: 255,
  float: 0.1,
  price: 1234.56,
  stars: 4.5,
  date: '2026-01-31',
  time: '09:30:00',
  datetime: '2026-01-31 09:30:00',
  week: '2026-W05',
  month: '2026-01',
  checkbox: 1,
  switch: 0,
  select: 'a',
  countrylist: 'FR',
  radios: 'b',
  multiselect: ['a', 'b'],
  checkboxes: [],
  file: 'https://example.org/file.pdf',
  image: 'https://example.org/image.png',
  filelist: ['https://example.org/file.pdf'],
  imagelist: ['https://example.org/image.png'],
  tag: ['one', 'שניים'],
  textlist: ['b', 'a'],
  textarealist: ['two\nlines'],
  wysiwyglist: ['<p>x</p>'],
  meta: { zebra: 1, apple: 'x', '10': null },
  latlng: [52.52, 13.405],
  rawjson: { b: [1, { d: 1.5e-7, c: null }], a: 'é' },
  fieldset: { street: 'Weft Lane' },
  table: [{ x: '1', y: '2' }],
  multirange: '1;5',
};

const FIELDS = FIELD_TYPES.filter((type) => type !== 'none').map((type) => ({
  name: type,
  type,
  ...(/^(select|radios|multiselect|checkboxes)$/.test(type)
    ? {
        options: [
          { key: 'a', value: 'A' },
          { key: 'b', value: 'B' },
        ],
      }
    : {}),
  ...(type === 'fieldset' ? { fieldset: 'place' } : {}),
  ...(type === 'table' ? { columns: ['x', 'y'] } : {}),
  ...(type === 'computed' ? { expression: 'concat(text, number)', stored: true } : {}),
}));

/** A blog with another schema that has every field type and every kind of relation. */
function makeProject(): string {
  const root = folders.makeProject('blog');
  const write = (path: string, value: unknown): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value, null, 2));
  };
  write('config/fieldset/place.json', {
    name: 'place',
    singular: 'Place',
    plural: 'Places',
    fields: [{ name: 'street', type: 'text' }],
  });
  write('config/schema/every-thing.json', {
    name: 'every-thing',
    singular: 'Everything',
    plural: 'Everything',
    fields: FIELDS,
    relations: [
      { schema: 'profile', kind: '1:1' },
      { schema: 'article', kind: '1:0' },
      { schema: 'comment', kind: '1:N' },
      { schema: 'article', kind: 'N:N', name: 'likes' },
      { schema: 'every-thing', kind: '1:0', name: 'before' },
    ],
  });
  write('config/schema/stay.json', {
    ...{ name: 'stay', singular: 'Stay', plural: 'Stays' },
    fields: [
      { name: 'room', type: 'text' },
      ...['from', 'until'].map((name) => ({ name, type: 'date' })),
      ...['least', 'most'].map((name) => ({ name, type: 'float' })),
      { name: 'active', type: 'active' },
    ],
    exclude: [{ columns: ['room'], range: ['from', 'until'] }, { range: ['least', 'most'] }],
  });
  write('config/app/reader.json', {
    title: 'Reader',
    clientId: 'reader-client',
    secretHash: `sha256:${'0'.repeat(64)}`,
    redirectUris: ['https://example.org/callback'],
    scopes: [],
  });
  return root;
}

/** Rows that touch and do not overlap; the last one is removed, and another takes its place. */
const STAYS = [
  { stay_room: 'A', stay_from: '2026-01-01', stay_until: '2026-01-05', stay_least: 0.1, stay_most: 0.3 },
  { stay_room: 'A', stay_from: '2026-01-05', stay_until: null, stay_least: 0.1 + 0.2, stay_most: null },
  { stay_room: 'B', stay_from: null, stay_until: '2026-01-05', stay_least: 0.3, stay_most: 0.1 + 0.2 },
];
const LATER = { stay_room: 'B', stay_from: '2026-01-04', stay_until: null, stay_least: 0.3, stay_most: 0.1 + 0.2 };

const SECRET = 'a secret of a test, with forty characters';
type Env = Readonly<Record<string, string>>;
/** Always set: if tests use a database server, a project would otherwise use it too. */
const toEnv = (url = 'sqlite:var/app.db'): Env => ({ TREADLE_SECRET: SECRET, DATABASE_URL: url });
const start = (root: string, url?: string) => createApp({ root, mode: 'test', env: toEnv(url), log: silentLog });

async function fill(root: string): Promise<void> {
  const app = await start(root);
  const emit = async (event: string, stage: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const response = await app.emit(event, stage);
    assert.not(response.isError(), `${event}: ${response.getMessage()} ${JSON.stringify(response.getValidation())}`);
    return response.getResults();
  };
  try {
    const user = { auth_slug: 'ann@example.org', auth_password: 'threads and reeds', profile_name: 'Ann' };
    await emit('auth-create', { ...user, confirm: user.auth_password });
    const values = Object.entries(SAMPLES).map(([type, value]) => [`every_thing_${type}`, value]);
    for (let count = 0; count < 3; count += 1) {
      const { article_id } = await emit('system-model-create', { schema: 'article', article_title: `A ${count}` });
      const comment = { schema: 'comment', comment_detail: `C ${count}`, profile_id: 1 };
      const { comment_id } = await emit('system-model-create', comment);
      await emit('system-relation-link', { schema1: 'article', schema2: 'comment', article_id, comment_id });
      const empty = { schema: 'every-thing', profile_id: 1, article_id };
      const stage = count === 0 ? empty : { ...empty, ...Object.fromEntries(values), before_id: count };
      await emit('system-model-create', stage);
    }
    for (const stay of STAYS) await emit('system-model-create', { schema: 'stay', ...stay });
    await emit('system-model-remove', { schema: 'stay', stay_id: STAYS.length });
    await emit('system-model-remove', { schema: 'article', article_id: 2 });
    const { database } = app.services;
    const grant = { app_id: 1, auth_id: 1, profile_id: 1, scopes: '["profile_read"]', created_at: 1 };
    await database.write(() => database.kysely.insertInto('treadle_grant').values(grant).execute());
    const token = { token_hash: 'a'.repeat(64), kind: 'access', grant_id: 1, ...grant, expires_at: 2 };
    await database.write(() => database.kysely.insertInto('treadle_token').values(token).execute());
    // An id that was used and removed.
    const { article_id } = await emit('system-model-create', { schema: 'article', article_title: 'gone' });
    await database.write(() => database.kysely.deleteFrom('article').where('article_id', '=', article_id).execute());
  } finally {
    await app.close();
  }
}

/** Counts and checksums of all rows, except those specific to a database: migration history and serving mode. */
async function sumUp(root: string, url: string): Promise<string[]> {
  const app = await start(root, url);
  const { model } = app.plan;
  const system = app.plan.tables;
  await app.close();
  const database = await openDatabase({ url, root, log: silentLog, clock: systemClock });
  try {
    const { tables } = await describe(database, createTables(model, system, { dialect: 'postgres' }));
    const lines: string[] = [];
    for (const table of tables.filter(({ name }) => !/^treadle_(journal|table|serving)$/.test(name))) {
      // Sorted by name, because two databases may order columns differently.
      const sorted = { ...table, columns: [...table.columns].sort((a, b) => (a.name < b.name ? -1 : 1)) };
      const digest = new Digest(sorted);
      for await (const batch of readRows(database, sorted)) for (const row of batch) digest.add(row);
      lines.push(`${table.name} ${digest.rows} ${digest}`);
    }
    return lines;
  } finally {
    await database.close();
  }
}

/** The rules of periods are there again: what overlaps is refused, and a removed row may come back only into its place. */
async function useStays(app: Awaited<ReturnType<typeof start>>): Promise<void> {
  const create = (values: object) => app.emit('system-model-create', { schema: 'stay', ...values });
  const status = async (values: object): Promise<number> => (await create(values)).getStatus();
  const apart = { stay_least: -1, stay_most: -1 };
  assert.is(await status({ ...STAYS[0], ...apart }), 409);
  assert.is(await status({ ...LATER, stay_least: 0.2 }), 409);
  const restore = () => app.emit('system-model-restore', { schema: 'stay', stay_id: STAYS.length });
  const later = await create(LATER);
  assert.is(later.getStatus(), 200, later.getMessage());
  assert.is((await restore()).getStatus(), 409);
  const { database } = app.services;
  const id = later.getResults('stay_id');
  await database.write(() => database.kysely.deleteFrom('stay').where('stay_id', '=', Number(id)).execute());
}

/** The site works: Ann can log in, every value is intact, words are found, a new row gets an unused id. */
async function use(root: string, url: string): Promise<void> {
  const app = await start(root, url);
  try {
    const login = await app.emit('auth-login', { auth_slug: 'ann@example.org', auth_password: 'threads and reeds' });
    assert.not(login.isError(), login.getMessage());
    const wrong = await app.emit('auth-login', { auth_slug: 'ann@example.org', auth_password: 'other' });
    assert.ok(wrong.isError());
    const row = (await app.emit('system-model-detail', { schema: 'every-thing', every_thing_id: 2 })).getResults<
      Record<string, unknown>
    >();
    for (const [type, value] of Object.entries(SAMPLES)) {
      if (!fieldKinds[type as FieldType].isSecret) assert.equal(row[`every_thing_${type}`] ?? [], value, type);
    }
    await useStays(app);
    const found = await app.emit('system-model-search', { schema: 'article', q: 'A' });
    assert.is(found.getResults('total'), 2);
    const removed = await app.emit('system-model-search', { schema: 'article', filter: { article_active: 'any' } });
    assert.is(removed.getResults('total'), 3);
    const made = await app.emit('system-model-create', { schema: 'article', article_title: 'new' });
    assert.is(made.getResults('article_id'), 5);
    await app.emit('system-model-remove', { schema: 'article', article_id: 5 });
  } finally {
    await app.close();
  }
}

const tell = ({ out, err }: RunResult): string => `${out}\n${err}`;

test('a blog with every field type moves to the other database and back, and is the same and works', async () => {
  const root = makeProject();
  await fill(root);
  const there = placeUrl(join(root, 'var/there.db'));
  const back = `sqlite:${join(root, 'var/back.db')}`;
  try {
    const before = await sumUp(root, 'sqlite:var/app.db');
    assert.ok(before.some((line) => line.startsWith('every_thing 3 ')));
    const trial = await run(['move', '--to', there, '--dry-run'], { cwd: root, env: toEnv() });
    assert.is(trial.code, 0, tell(trial));
    assert.match(trial.out, 'every_thing: 3 rows');
    const moved = await run(['move', '--to', there], { cwd: root, env: toEnv() });
    assert.is(moved.code, 0, tell(moved));
    assert.match(moved.out, 'counts and checksums agree');
    assert.equal(await sumUp(root, there), before);
    const returned = await run(['move', '--to', back], { cwd: root, env: toEnv(there) });
    assert.is(returned.code, 0, tell(returned));
    assert.match(returned.err, 'Commands treat it as production');
    assert.equal(await sumUp(root, back), before);
    await use(root, there);
    await use(root, back);
    const again = await run(['move', '--to', there], { cwd: root, env: toEnv() });
    assert.is(again.code, 3, tell(again));
    const json = await run(['move', '--to', there, '--allow-loss', '--json'], { cwd: root, env: toEnv() });
    assert.is(json.code, 0, tell(json));
    assert.not.match(json.err, 'Commands treat it', 'it was taken for that before');
    assert.ok(JSON.parse(json.out).lost > 10);
    assert.equal(await sumUp(root, there), before);
  } finally {
    await removePlace(there);
  }
});

test('a backup restores into the other database, with its files, and into a newer model', async () => {
  const root = makeProject();
  await fill(root);
  mkdirSync(join(root, 'var/upload/ab'), { recursive: true });
  writeFileSync(join(root, 'var/upload/ab/picture.png'), 'picture');
  const there = placeUrl(join(root, 'var/there.db'));
  try {
    const before = await sumUp(root, 'sqlite:var/app.db');
    const trial = await run(['backup', '--out', 'a.treadle', '--dry-run'], { cwd: root, env: toEnv() });
    assert.match(trial.out, 'would write');
    assert.not(existsSync(join(root, 'a.treadle')));
    const backup = await run(['backup', '--out', 'a.treadle'], { cwd: root, env: toEnv() });
    assert.is(backup.code, 0, tell(backup));
    assert.match(backup.out, 'and 1 uploaded file,');
    assert.match(backup.err, 'Back up .env too');
    // What Treadle derives of the tables is made again, so that it is no loss.
    assert.not.match(backup.err, /the view treadle_words/);
    const second = await run(['backup', '--out', 'a.treadle', '--json'], { cwd: root, env: toEnv() });
    assert.is(JSON.parse(second.out).code, 'ARCHIVE_EXISTS');
    assert.is((await run(['backup', '--out', 'a.treadle', '--yes'], { cwd: root, env: toEnv() })).code, 0);
    const look = await run(['restore', 'a.treadle', '--dry-run'], { cwd: root, env: toEnv(there) });
    assert.is(look.code, 0, tell(look));
    assert.match(look.out, 'would restore it into');
    const restored = await run(['restore', 'a.treadle'], { cwd: root, env: toEnv(there) });
    assert.is(restored.code, 0, tell(restored));
    assert.match(restored.err, 'Commands treat it as production until "treadle dev" has served it.');
    assert.equal(await sumUp(root, there), before);
    await use(root, there);
    // A field that the backup does not have.
    const path = join(root, 'config/schema/article.json');
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    schema.fields.push({ name: 'mood', type: 'text', default: 'calm', filterable: true });
    writeFileSync(path, JSON.stringify(schema));
    assert.is((await run(['restore', 'a.treadle'], { cwd: root, env: toEnv(there) })).code, 3);
    const full = await run(['restore', 'a.treadle', '--dry-run'], { cwd: root, env: toEnv(there) });
    assert.match(full.out, /would replace \d+ rows .*sessions and Treadle's notes on the database are not counted/);
    const newer = await run(['restore', 'a.treadle', '--allow-loss', '--json'], { cwd: root, env: toEnv(there) });
    assert.is(newer.code, 0, tell(newer));
    const { applied, files, lost } = JSON.parse(newer.out);
    assert.ok(applied.some(({ words }: { words: string }) => words.includes('article_mood')));
    assert.equal(files, { written: 0, same: 1 });
    assert.ok(lost > 10);
    const app = await start(root, there);
    const row = await app.emit('system-model-detail', { schema: 'article', article_id: 1 });
    assert.is(row.getResults('article_mood'), 'calm');
    await app.close();
  } finally {
    await removePlace(there);
  }
});

test('an undo after a restore takes back the last change of the user, not the indexes that the restore made again', async () => {
  const root = folders.makeProject('bare');
  const there = await placeUrl('other');
  try {
    for (const argv of [
      ['schema', 'create', 'note', '--field', 'body:text'],
      ['migrate', '--yes'],
      ['field', 'add', 'note', 'mood:text', '--filterable'],
      ['migrate', '--yes'],
      ['backup', '--out', 'a.treadle'],
    ]) {
      const done = await run([...argv, '--no-interactive'], { cwd: root, env: toEnv() });
      assert.is(done.code, 0, tell(done));
    }
    const restored = await run(['restore', 'a.treadle', '--json'], { cwd: root, env: toEnv(there) });
    assert.is(restored.code, 0, tell(restored));
    const { applied } = JSON.parse(restored.out) as { applied: { words: string }[] };
    assert.ok(applied.some(({ words }) => /index/.test(words)));
    const undo = await run(['migrate', 'undo', '--dry-run'], { cwd: root, env: toEnv(there) });
    assert.is(undo.code, 0, tell(undo));
    assert.match(undo.out, /would be undone:\n {2}.*note_mood/);
  } finally {
    await removePlace(there);
  }
});

test('a backup needs no whole definitions, a restore does unless it leaves the tables as they are', async () => {
  const root = folders.makeProject('bare');
  await (await start(root)).close();
  mkdirSync(join(root, 'config/rest'), { recursive: true });
  writeFileSync(join(root, 'config/rest/broken.json'), '{');
  const env = toEnv();
  const backup = await run(['backup', '--out', 'a.treadle'], { cwd: root, env });
  assert.is(backup.code, 0, tell(backup));
  assert.match(backup.err, 'The definitions have problems');
  assert.is((await run(['restore', 'a.treadle'], { cwd: root, env })).code, 5);
  const kept = await run(['restore', 'a.treadle', '--no-migrate'], { cwd: root, env });
  assert.is(kept.code, 0, tell(kept));
});

const WRONG: readonly (readonly [readonly string[], number, string])[] = [
  [['move', '--to', 'mysql://x'], 64, 'must be a database URL'],
  [['move', '--to', 'sqlite:./var/app.db'], 64, 'the database that the project already uses'],
  [['move'], 64, 'The option --to is missing'],
  [['backup'], 64, 'The option --out is missing'],
  [['restore', 'nothing.treadle'], 1, 'does not exist'],
  [['restore', 'package.json'], 1, 'is not an archive'],
];

test('looking makes no database', async () => {
  const root = folders.makeProject('bare');
  const file = join(root, 'a.treadle');
  for (const argv of [
    ['backup', '--out', file],
    ['backup', '--out', file, '--dry-run'],
    ['move', '--to', 'sqlite:b.db'],
  ]) {
    const { code, err } = await run(argv, { cwd: root, env: toEnv() });
    assert.is(code, 1, argv.join(' '));
    assert.match(err, 'There is no database yet');
  }
  const other = folders.makeProject('bare');
  await (await start(other)).close();
  assert.is((await run(['backup', '--out', file], { cwd: other, env: toEnv() })).code, 0);
  assert.is((await run(['restore', file, '--dry-run'], { cwd: root, env: toEnv() })).code, 0);
  assert.not(existsSync(join(root, 'var/app.db')));
  assert.is((await run(['move', '--to', 'sqlite:b.db', '--dry-run'], { cwd: other, env: toEnv() })).code, 0);
  assert.not(existsSync(join(other, 'b.db')));
});

test('wrong use says what is wrong', async () => {
  const root = folders.makeProject('bare');
  await (await start(root)).close();
  for (const [argv, code, words] of WRONG) {
    const result = await run(argv, { cwd: root, env: toEnv() });
    assert.is(result.code, code, argv.join(' '));
    assert.match(result.err, words);
  }
});

test('no password of an address is shown', () => {
  assert.is(toShownUrl('postgres://ann:s3cret@host:5432/name?schema=a'), 'postgres://ann:***@host:5432/name?schema=a');
  assert.is(toShownUrl('postgres://host/name?user=ann&password=s3cret'), 'postgres://host/name?user=ann&password=***');
  assert.is(toShownUrl('sqlite:var/app.db'), 'sqlite:var/app.db');
});

test('a move refuses while a server of this machine serves the project, and names it', async () => {
  const root = folders.makeProject();
  assert.is((await run(['migrate'], { cwd: root, env: toEnv() })).code, 0);
  const app = await createApp({ root, mode: 'test', env: toEnv(), log: silentLog, clock: systemClock });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const forget = noteRunning(root, url, 'start');
  const move = (...argv: string[]) => run(['move', '--to', 'sqlite:c.db', ...argv], { cwd: root, env: toEnv() });
  try {
    const refused = await move();
    assert.match(refused.err, `"treadle start" serves this project at ${url}`);
    assert.match(refused.err, 'Stop the server and move again');
    assert.is(refused.code, 1);
    assert.not(existsSync(join(root, 'c.db')));
    assert.is((await move('--dry-run')).code, 0);
    assert.is((await move('--allow-changes')).code, 0);
  } finally {
    await app.close();
  }
  // The note of a server that was killed.
  const again = await move('--allow-loss');
  assert.is(again.code, 0, again.err);
  forget();
});

test.run();
