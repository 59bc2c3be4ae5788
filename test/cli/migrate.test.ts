// Also on PostgreSQL: it reads and changes the structure of tables.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIALECT, onServer } from '../database/_where.ts';
import { createAnswers, Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/migrate');
test.after(() => folders.remove());

const SCHEMA = {
  name: 'note',
  singular: 'Note',
  plural: 'Notes',
  fields: [
    { name: 'title', type: 'text', validation: [{ method: 'required', message: 'Title is required' }] },
    { name: 'body', type: 'text' },
  ],
};

interface Field {
  name: string;
  type: string;
  [key: string]: unknown;
}

class Project {
  readonly root = folders.makeProject('bare');

  edit(change: (fields: Field[]) => Field[]): void {
    const file = join(this.root, 'config/schema/note.json');
    const schema = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : SCHEMA;
    writeFileSync(file, JSON.stringify({ ...schema, fields: change(schema.fields) }, null, 2));
  }

  async run(line: string, code = 0, options: Partial<Parameters<typeof run>[1]> = {}) {
    const result = await run(line.split(' '), { cwd: this.root, ...options });
    assert.is(result.code, code, `treadle ${line}\n${result.out}${result.err}`);
    return result;
  }

  async data(line: string, code = 0) {
    return JSON.parse((await this.run(`${line} --json`, code)).out);
  }

  async rows(): Promise<Record<string, unknown>[]> {
    const { out } = await this.run('export note');
    const lines = out.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line));
  }
}

/** Two notes, one without a body. */
async function make(): Promise<Project> {
  const project = new Project();
  project.edit((fields) => fields);
  await project.run('migrate');
  const rows = [{ note_title: 'One', note_body: '1' }, { note_title: 'Two' }];
  writeFileSync(join(project.root, 'rows.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  await project.run('import note rows.ndjson');
  return project;
}

const without = (name: string) => (fields: Field[]) => fields.filter((field) => field.name !== name);
const required = (name: string): Field => ({
  name,
  type: 'text',
  validation: [{ method: 'required', message: 'It is required' }],
});

/** The change, the command line, its exit code, kinds of applied steps and codes of refused ones. */
const CASES: readonly [
  title: string,
  change: (fields: Field[]) => Field[],
  line: string,
  code: number,
  done: string[],
  refused: string[],
][] = [
  ['nothing', (fields) => fields, 'migrate', 0, [], []],
  ['a new field', (fields) => [...fields, { name: 'more', type: 'text' }], 'migrate', 0, ['add-column'], []],
  ['a dropped field stays', without('body'), 'migrate', 0, [], []],
  ['--yes allows no loss', without('body'), 'migrate --yes', 0, [], []],
  ['a loss that is allowed', without('body'), 'migrate --allow-loss', 0, ['drop-column'], []],
  ['required without a value', (f) => [...f, required('kind')], 'migrate', 1, [], ['MIGRATION_COLUMN_REQUIRED']],
  ['a default', (f) => [...f, required('kind')], 'migrate --default note.kind=plain', 0, ['add-column'], []],
  [
    'required with empty rows',
    (f) => [...without('body')(f), required('body')],
    'migrate',
    1,
    [],
    ['MIGRATION_ROWS_EMPTY'],
  ],
];

for (const [title, change, line, code, done, refused] of CASES) {
  test(`${title}: treadle ${line} ends with ${code}`, async () => {
    const project = await make();
    project.edit(change);
    const before = await project.data(`${line} --dry-run`, code);
    const after = await project.data(line, code);
    for (const { steps, refused: left, error } of [before, after]) {
      const kinds = steps.filter(({ refusal }: { refusal?: unknown }) => refusal === undefined);
      assert.equal(
        [...new Set(kinds.map(({ kind }: { kind: string }) => kind))].filter((kind) => kind !== 'rebuild-table'),
        done,
      );
      assert.equal(
        left.map(({ refusal }: { refusal: { code: string } }) => refusal.code),
        refused,
      );
      assert.is(error, code !== 0);
    }
    assert.equal(
      (await project.data('migrate --dry-run', refused.length > 0 ? code : 0)).refused.length,
      refused.length,
    );
  });
}

test('a dry run writes nothing, and with --exit-code tells that something is to be done', async () => {
  const project = await make();
  project.edit((fields) => [...fields, { name: 'more', type: 'text' }]);
  for (const line of ['migrate --dry-run --exit-code', 'migrate --dry-run --exit-code']) {
    const { out } = await project.run(line, 2);
    assert.match(out, /^Adds, and can lose nothing:\n/);
    assert.match(out, 'alter table "note" add column "note_more"');
  }
  const { out } = await project.run('migrate --dry-run --sql');
  assert.match(out, /^-- Add the column note_more[^\n]*\nalter table "note" add column "note_more" text[^\n]*;\n$/);
  await project.run('migrate');
  await project.run('migrate --dry-run --exit-code', 0);
});

test('before there is a database, a dry run and an undo make none', async () => {
  const project = new Project();
  project.edit((fields) => fields);
  assert.ok((await project.data('migrate --dry-run')).steps.length > 3);
  assert.is((await project.data('migrate undo', 1)).code, 'MIGRATION_UNDO_NONE');
  await project.run('check');
  await project.run('doctor');
  assert.not(readdirSync(project.root).includes('var'));
  const [, schema] = /schema=(\w+)/.exec(readFileSync(join(project.root, '.env'), 'utf8')) ?? [];
  // Fails if one of them created it.
  if (schema !== undefined) await onServer(`create schema "${schema}"`);
});

test('a field renamed by the command keeps its values', async () => {
  const project = await make();
  await project.run('field rename note body text');
  const { steps } = await project.data('migrate');
  assert.equal(
    steps.map(({ kind }: { kind: string }) => kind),
    ['rename-column'],
  );
  assert.equal(
    (await project.rows()).map(({ note_text }) => note_text ?? null),
    ['1', null],
  );
});

test('what was let go comes back, the files stay, and the difference is told', async () => {
  const project = await make();
  project.edit(without('body'));
  const lost = await project.run('migrate --allow-loss');
  assert.match(lost.out, /Lost, with a copy kept:\n {2}Drop the column note_body/);
  assert.match(lost.out, /treadle_copy_1: note\.note_body, 1 row\n.*drop table treadle_copy_1;/);
  const trial = await project.run('migrate undo --dry-run');
  assert.match(trial.out, /would be undone:\n {2}Drop the column note_body/);
  const undone = await project.run('migrate undo');
  assert.match(undone.out, 'was undone:');
  assert.not.match(readFileSync(join(project.root, 'config/schema/note.json'), 'utf8'), 'body');
  const check = await project.run('check');
  assert.match(check.out, /note\.note_body without a field stays, with 1 value\b/);
  assert.match((await project.run('doctor')).out, /advice +drift +The column note\.note_body/);
  project.edit((fields) => [...fields, { name: 'body', type: 'text' }]);
  await project.run('migrate');
  assert.equal(
    (await project.rows()).map(({ note_body }) => note_body ?? null),
    ['1', null],
  );
});

test('an undo tells what the definitions ask for again, and refuses to lose what was written since', async () => {
  const project = await make();
  project.edit((fields) => [...fields, { name: 'more', type: 'text' }]);
  await project.run('migrate');
  const rows = [{ note_title: 'Three', note_more: 'x' }];
  writeFileSync(join(project.root, 'rows.ndjson'), JSON.stringify(rows[0]));
  await project.run('import note rows.ndjson');
  const { refused } = await project.data('migrate undo', 3);
  assert.equal(
    refused.map(({ refusal }: { refusal: { code: string } }) => refusal.code),
    ['MIGRATION_COLUMN_LEFT'],
  );
  const { differences, copies } = await project.data('migrate undo --allow-loss');
  assert.equal(
    differences.map(({ kind }: { kind: string }) => kind),
    ['add-column'],
  );
  assert.is(copies.length, 1);
});

test('an undo of the first migration gives up no row without leave', async () => {
  const project = await make();
  const { refused } = await project.data('migrate undo', 3);
  assert.equal(
    refused.map(({ table, rowsAtRisk }: { table: string; rowsAtRisk: number }) => [table, rowsAtRisk]),
    [['note', 2]],
  );
  assert.is((await project.rows()).length, 2);
  assert.is((await project.data('migrate undo --allow-loss')).copies.length, 1);
});

/** Wrong use, and the message. */
const WRONG: readonly [string, RegExp][] = [
  ['migrate --default body', /--default can't be "body"/],
  ['migrate --default note.bdy=x', /there is no field "note\.bdy"[\s\S]*Did you mean "note\.body"\?/],
  ['migrate und', /Did you mean "undo"\?/],
];
for (const [line, said] of WRONG) {
  test(`treadle ${line} is refused`, async () => {
    const project = new Project();
    project.edit((fields) => fields);
    assert.match((await project.run(line, 64)).err, said);
  });
}

test('at a terminal: asks for the value, then before it changes; a bad value is asked for again', async () => {
  const project = await make();
  const kind = { ...required('kind'), type: 'number' };
  project.edit((fields) => [...fields, kind]);
  const prompt = createAnswers(['many', '7', true]);
  const { err } = await project.run('migrate', 0, { isTTY: true, prompt });
  assert.is(prompt.asked.length, 3);
  assert.match(prompt.asked[0] ?? '', /A value for note\.kind/);
  assert.match(err, 'The same without questions: treadle migrate --default note.kind=7');
  assert.equal(
    (await project.rows()).map(({ note_kind }) => note_kind),
    [7, 7],
  );
});

test('at a terminal: what stays is told, and a loss that is allowed is asked for', async () => {
  const project = await make();
  project.edit(without('body'));
  const told = await project.run('migrate', 0, { isTTY: true, prompt: createAnswers([]) });
  assert.match(told.out, 'treadle migrate --allow-loss');
  const no = createAnswers([false]);
  await project.run('migrate --allow-loss', 1, { isTTY: true, prompt: no });
  assert.equal(no.asked, ['Do it?']);
  await project.run('migrate --allow-loss', 0, { isTTY: true, prompt: createAnswers([true]) });
});

test('a column without a field is advice for good, also empty; it hides no other work', async () => {
  const project = await make();
  project.edit((fields) => [...without('body')(fields), { name: 'more', type: 'text' }]);
  const first = await project.data('migrate', 0);
  assert.equal(
    first.left.map(({ refusal }: { refusal: { code: string } }) => refusal.code),
    ['MIGRATION_COLUMN_LEFT'],
  );
  await project.run('migrate --dry-run --exit-code', 0);
  const { out } = await project.run('migrate --allow-loss --dry-run', 0, { isTTY: true, prompt: createAnswers([]) });
  assert.match(out, 'Loses, with a copy kept:');
});

test('a dry run names the command that does what it showed', async () => {
  const project = await make();
  project.edit(without('body'));
  const { out, err } = await project.run('migrate --allow-loss --dry-run', 0);
  assert.match(out + err, 'Next: treadle migrate --allow-loss');
});

test('a new field that is required and unique is not offered one value for all rows', async () => {
  const project = await make();
  writeFileSync(join(project.root, 'more.ndjson'), '{"title":"Second"}\n');
  await project.run('import note more.ndjson');
  const slug = { ...required('code'), validation: [{ method: 'required' }, { method: 'unique' }] };
  project.edit((fields) => [...fields, slug]);
  const { refused } = await project.data('migrate', 1);
  assert.match(refused[0].refusal.hint, 'Each row needs a value of its own');
});

test(`check needs no database and makes none (${DIALECT})`, async () => {
  const project = new Project();
  project.edit((fields) => fields);
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  assert.is((await project.run('check', 0, { env })).out, 'No problems found.\n');
  assert.is((await project.run('check')).out, 'No problems found.\n');
  assert.not(existsSync(join(project.root, 'var')));
});

test.run();
