// Also on PostgreSQL: it writes batches of rows and meets their constraints.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FIELD_TYPES } from '../../src/model/shape.ts';
import { type Place, placeDatabase } from '../database/_where.ts';
import { getProgram } from './_process.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const places: Place[] = [];
const test = suite('cli/import');
test.after(async () => {
  folders.remove();
  for (const place of places) await place.remove();
});

interface Project {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  at(...argv: string[]): Promise<RunResult>;
  feed(text: string, ...argv: string[]): Promise<RunResult>;
  json(...argv: string[]): Promise<Record<string, unknown>>;
}

/** A project with these schemas and an empty database. */
async function makeProject(schemas: readonly { readonly name: string }[]): Promise<Project> {
  const root = folders.makeProject('bare');
  const place = await placeDatabase('var/app.db');
  places.push(place);
  mkdirSync(join(root, 'config/schema'), { recursive: true });
  for (const schema of schemas) {
    const label = { singular: schema.name, plural: `${schema.name}s` };
    writeFileSync(join(root, `config/schema/${schema.name}.json`), JSON.stringify({ ...label, ...schema }));
  }
  const env = { DATABASE_URL: place.url };
  const feed = (text: string, ...argv: string[]) => run(argv, { cwd: root, env, stdin: text });
  const project: Project = {
    root,
    env,
    at: (...argv) => run(argv, { cwd: root, env }),
    feed,
    json: async (...argv) => JSON.parse((await run([...argv, '--json'], { cwd: root, env })).out),
  };
  const { code, out, err } = await project.at('migrate', '--yes');
  assert.is(code, 0, out + err);
  return project;
}

const toLines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const OPTIONS = ['one', 'two', 'three'].map((key) => ({ key, value: key }));
const SET = {
  name: 'part',
  singular: 'Part',
  plural: 'Parts',
  fields: [
    { name: 'text', type: 'text' },
    { name: 'size', type: 'number' },
  ],
};

/** A field of each type. */
const KINDS = [
  {
    name: 'kind',
    fields: FIELD_TYPES.map((type) => ({
      name: type === 'active' || type === 'created' || type === 'updated' ? type : `a_${type}`,
      type,
      ...(/^(select|radios|multiselect|checkboxes)$/.test(type) ? { options: OPTIONS } : {}),
      ...(type === 'table' ? { columns: ['first', 'second'] } : {}),
      ...(type === 'fieldset' ? { fieldset: 'part', multiple: true } : {}),
      ...(type === 'text' ? { default: 'as ever' } : {}),
      ...(type === 'computed' ? { expression: 'concat(a_slug, a_number)', stored: true } : {}),
    })),
    relations: [
      { schema: 'label', kind: 'N:N' },
      { schema: 'kind', kind: '1:0', name: 'above' },
      { schema: 'kind', kind: 'N:N', name: 'peer' },
    ],
  },
  {
    name: 'label',
    fields: [
      { name: 'name', type: 'text', unique: true },
      { name: 'active', type: 'active' },
    ],
  },
];

async function makeKinds(): Promise<Project> {
  const root = folders.make();
  writeFileSync(join(root, 'part.json'), JSON.stringify(SET));
  const project = await makeProject([]);
  mkdirSync(join(project.root, 'config/fieldset'), { recursive: true });
  writeFileSync(join(project.root, 'config/fieldset/part.json'), JSON.stringify(SET));
  for (const schema of KINDS) {
    const label = { singular: schema.name, plural: `${schema.name}s` };
    writeFileSync(join(project.root, `config/schema/${schema.name}.json`), JSON.stringify({ ...label, ...schema }));
  }
  const { code, out, err } = await project.at('migrate', '--yes');
  assert.is(code, 0, out + err);
  return project;
}

const HARD = [
  {
    a_text: '=1+1 "é" 😀 line',
    a_textarea: "'-x",
    a_rawjson: '"quoted',
    a_number: -5,
    a_tag: ['a,b', '[x]'],
    above_id: 2,
    peer: [1, 3],
  },
  { a_text: null, a_rawjson: 12.5, a_markdown: ' blanks ', a_meta: { '=x': 'y', n: 1 }, active: 0, label: [1, 2] },
  {
    a_rawjson: { a: [1, { b: null }] },
    a_price: -1.5,
    a_multirange: '-5;10',
    a_textlist: ['x;y', '"z"'],
    created: '2001-02-03 04:05:06',
  },
  { a_rawjson: 'true', a_code: '\t{"a":1}', a_latlng: [-1.5, 2], a_float: 1e-7, a_time: '23:59:59' },
];

test('an import counts the formatted texts that lost tags or attributes', async () => {
  const { json, feed } = await makeProject([
    {
      name: 'page',
      fields: [
        { name: 'body', type: 'wysiwyg' },
        { name: 'title', type: 'text' },
      ],
    } as { name: string },
  ]);
  const rows = toLines([
    { title: '<p class="x">', body: '<p>a</p>' },
    { title: 'b', body: '<p class="x">b</p>' },
    { title: 'c', body: '<script>c</script><video src="/c.mp4" controls></video>' },
  ]);
  const { code, out } = await feed(rows, 'import', 'page', '-');
  assert.is(code, 0, out);
  assert.match(out, /page_body: 2 texts without tags or attributes/);
  const file = join(folders.make(), 'rows.ndjson');
  writeFileSync(file, rows);
  assert.equal((await json('import', 'page', file)).cleaned, { page_body: 2 });
});

test('what is exported and imported into an empty database is the same, for every type and format', async () => {
  const from = await makeKinds();
  await from.feed(toLines([{ name: 'x' }, { name: 'y' }]), 'import', 'label', '-');
  const hard = await from.feed(toLines(HARD), 'import', 'kind', '-');
  assert.is(hard.code, 0, hard.err);
  const fake = await from.at('fake', 'kind', '40', '--date', '2026-01-31');
  assert.is(fake.code, 0, fake.err);
  const whole = await from.json('export', 'kind', '--removed');
  assert.is((whole as unknown as unknown[]).length, 44);
  for (const format of ['ndjson', 'json', 'csv']) {
    const to = await makeKinds();
    for (const name of ['label', 'kind']) {
      const file = join(to.root, `${name}.${format}`);
      assert.is((await from.at('export', name, '--removed', '--out', file)).code, 0);
      const { code, err } = await to.at('import', name, file);
      assert.is(code, 0, `${format}: ${err}`);
    }
    const back = (await to.json('export', 'kind', '--removed')) as unknown as Record<string, unknown>[];
    // An empty cell counts as missing, so an empty text gets its default again; the other formats have null.
    if (format === 'csv') for (const row of back) if (row.kind_id === 2) row.kind_a_text = null;
    for (const [at, row] of back.entries())
      assert.equal(row, (whole as unknown as unknown[])[at], `${format}, row ${at + 1}`);
    assert.is(back.length, 44);
  }
});

const ITEM = {
  name: 'item',
  fields: [
    { name: 'title', type: 'text', required: true, searchable: true, sortable: true },
    { name: 'code', type: 'text', unique: true },
    { name: 'rank', type: 'number', filterable: true, sortable: true },
    { name: 'pass', type: 'password' },
    { name: 'active', type: 'active' },
  ],
};

const item = (number: number) => ({ title: `Title ${number}`, code: `c${number}`, rank: number });

test('import: more than one batch, changed by a unique column, counted', async () => {
  const { feed, json, at } = await makeProject([ITEM]);
  const rows = Array.from({ length: 2500 }, (_, number) => item(number));
  const first = JSON.parse((await feed(toLines(rows), 'import', 'item', '-', '--json')).out);
  assert.equal([first.imported, first.created, first.changed, first.refused], [2500, 2500, 0, 0]);
  const more = [...rows.slice(0, 3).map((row) => ({ code: row.code, title: 'New' })), item(3000)];
  const said = await feed(toLines(more), 'import', 'item', '-');
  assert.match(said.out, 'imported 4 item rows (1 new, 3 changed)');
  const found = (await json(
    'export',
    'item',
    '--filter',
    'rank[lt]=4',
    '--sort',
    '-rank',
    '--fields',
    'title,rank',
  )) as unknown;
  assert.equal(found, [
    { item_title: 'Title 3', item_rank: 3 },
    { item_title: 'New', item_rank: 2 },
    { item_title: 'New', item_rank: 1 },
    { item_title: 'New', item_rank: 0 },
  ]);
  assert.is(((await json('export', 'item', '--q', 'new')) as unknown as unknown[]).length, 3);
  assert.is((await json('export', 'item', '--dry-run')).rows, 2501);
  const csv = (await at('export', 'item', '--format', 'csv', '--filter', 'rank=3000')).out;
  assert.is(csv, 'item_id,item_title,item_code,item_rank,item_active\n2501,Title 3000,c3000,3000,1\n');
});

test('import: bad rows of all kinds are named, all or none, in a file too', async () => {
  const { feed, json, root, at } = await makeProject([ITEM]);
  const text = `${toLines([item(1)])}nonsense\n${toLines([item(2), { ...item(3), code: 'c1' }, { code: 'x' }, { ...item(6), colour: 1 }])}`;
  const refused = await feed(text, 'import', 'item', '-');
  assert.is(refused.code, 1);
  assert.match(refused.out, 'Nothing was imported: 4 invalid rows. --skip-bad imports the valid ones.');
  for (const line of [
    'line 2: This is not a JSON object.',
    'line 4: item_code: Row 1 has the same value',
    'line 5: item_title: Title is required',
    'line 6: "colour" is not a column of item.',
  ]) {
    assert.match(refused.err, line);
  }
  assert.is((await json('export', 'item', '--dry-run')).rows, 0);
  const trial = JSON.parse((await feed(text, 'import', 'item', '-', '--skip-bad', '--dry-run', '--json')).out);
  assert.equal([trial.isDryRun, trial.imported, trial.created, trial.bad.length], [true, 0, 2, 4]);
  assert.is((await json('export', 'item', '--dry-run')).rows, 0);
  const skipped = await feed(text, 'import', 'item', '-', '--skip-bad', '--bad', 'bad.ndjson');
  assert.is(skipped.code, 0);
  assert.match(skipped.out, 'imported 2 item rows, left out 4\ninvalid rows: bad.ndjson');
  const bad = readFileSync(join(root, 'bad.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(bad.map(({ line }) => line).sort(), [2, 4, 5, 6]);
  assert.equal(
    bad.find(({ line }) => line === 5),
    { line: 5, messages: { item_title: 'Title is required' }, row: { code: 'x' } },
  );
  for (const [argv, message] of [
    [['import', 'item', '.'], '. is a folder.'],
    [['import', 'item', 'gone.csv'], 'There is no file gone.csv.'],
    [['export', 'item', '--out', 'config'], 'is a folder.'],
    [['export', 'item', '--fields', 'titel'], 'Did you mean'],
    [['export', 'item', '--fields', 'pass'], 'has no column "item_pass" to export'],
    [['export', 'item', '--filter', 'rank'], 'is not column=value'],
    [['export', 'item', '--filter', 'pass=x'], 'item_pass'],
  ] as const) {
    const { code, err } = await at(...argv);
    assert.is(code, 64, argv.join(' '));
    assert.match(err, message);
  }
});

test('import: a CSV heading is checked before any row', async () => {
  const { feed } = await makeProject([ITEM]);
  const unknown = await feed('headline,rank\nA,1\n', 'import', 'item', '-');
  assert.is(unknown.code, 1);
  assert.match(unknown.err, 'The header has "headline", which is not a column of item.');
  assert.is((await feed('headline,rank\nA,1\n', 'import', 'item', '-', '--map', 'headline=title')).code, 0);
  assert.match((await feed('title,item_title\nA,B\n', 'import', 'item', '-')).err, 'are both item_title');
  assert.is((await feed('title,colour\nA,1\n', 'import', 'item', '-', '--ignore-unknown')).code, 0);
});

test('export: removed rows only where asked, passwords never, the file only as a whole', async () => {
  const { feed, at, json, root } = await makeProject([ITEM]);
  await feed(
    toLines([
      { ...item(1), pass: 'open sesame' },
      { ...item(2), active: 0 },
    ]),
    'import',
    'item',
    '-',
  );
  assert.is((await json('export', 'item', '--dry-run')).rows, 1);
  assert.is((await json('export', 'item', '--dry-run', '--removed')).rows, 2);
  const { out } = await at('export', 'item', '--removed');
  assert.not.match(out, /pass|scrypt/);
  assert.is(out.trim().split('\n').length, 2);
  const told = await at('export', 'item', '--out', 'deep/down/rows.json');
  assert.match(told.out, 'wrote 1 item row to deep/down/rows.json');
  assert.equal(JSON.parse(readFileSync(join(root, 'deep/down/rows.json'), 'utf8')).length, 1);
  assert.not(existsSync(join(root, 'elsewhere.ndjson')));
  assert.is((await at('export', 'item', '--out', 'elsewhere.ndjson', '--dry-run')).code, 0);
  assert.not(existsSync(join(root, 'elsewhere.ndjson')));
});

test('killed in the middle, an import leaves nothing', async () => {
  const { root, env, feed, json } = await makeProject([ITEM]);
  const child = spawn(
    process.execPath,
    [getProgram(), 'import', 'item', '-', '--format', 'ndjson', '--skip-bad', '--bad', 'bad.ndjson'],
    { cwd: root, env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  // The bad row is in the third batch; when it is reported, two batches are already written.
  const rows = Array.from({ length: 5000 }, (_, number) => item(number));
  child.stdin.on('error', () => undefined);
  child.stdin.write(toLines([...rows.slice(0, 2500), { rank: 1 }, ...rows.slice(2500)]));
  const file = join(root, 'bad.ndjson');
  const deadline = Date.now() + 60_000;
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    assert.ok(Date.now() < deadline && child.exitCode === null, 'the import never came so far');
    await wait(20);
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.is((await json('export', 'item', '--dry-run')).rows, 0);
  assert.is((await feed(toLines(rows), 'import', 'item', '-')).code, 0, 'and no lock is left');
  assert.is((await json('export', 'item', '--dry-run')).rows, 5000);
});

test('a whole number that would lose digits is refused with its line and key, in every format and column', async () => {
  const fields = [
    { name: 'ref', type: 'text' },
    { name: 'facts', type: 'rawjson' },
    { name: 'ratio', type: 'float' },
  ];
  const { root, at, json } = await makeProject([{ name: 'post', fields } as never]);
  const LOST = '901656910939770881';
  const FILES: Readonly<Record<string, string>> = {
    'text.ndjson': `{"ref":"a"}\n{"ref":${LOST}}\n`,
    'deep.ndjson': `{"ref":"a"}\n{"facts":{"a":[{"ref":-${LOST}}]}}\n`,
    'list.json': `[{"ref":"a"},\n{"ref":${LOST}}]`,
    'cell.csv': `ref,facts\na,1\nb,${LOST}\n`,
    'inner.csv': `ref,facts\na,1\nb,"{""ref"":${LOST}}"\n`,
    'double.ndjson': `{"ref":"a"}\n{"ratio":9007199254740993}\n`,
  };
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(root, name), text);
    const { code, out, err } = await at('import', 'post', name);
    assert.is(code, 1, name);
    assert.match(`${out}${err}`, name === 'inner.csv' ? /facts/ : /901656910939770881|9007199254740993/, name);
  }
  assert.equal(await json('export', 'post'), []);
  // As text, and as a double that holds them, they arrive.
  writeFileSync(join(root, 'kept.ndjson'), `{"ref":"${LOST}","ratio":9007199254740994}\n`);
  assert.is((await at('import', 'post', 'kept.ndjson')).code, 0);
  writeFileSync(join(root, 'kept.csv'), `ref,facts\n${LOST},9007199254740994\n`);
  assert.is((await at('import', 'post', 'kept.csv')).code, 0);
  const rows = (await json('export', 'post')) as unknown as Record<string, unknown>[];
  assert.equal(
    rows.map(({ post_ref }) => post_ref),
    [LOST, LOST],
  );
});

test.run();
