import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { placeUrl, removePlace, SERVER } from '../database/_where.ts';
import { Project } from '../project.ts';

/** A tree in files and in other databases: it arrives as it was, and still refuses a row below itself. Also on PostgreSQL. */
const test = suite('a tree on its way');

const CATEGORY = {
  ...{ name: 'category', singular: 'Category', plural: 'Categories' },
  fields: [
    { name: 'title', type: 'text' },
    { name: 'place', type: 'number' },
  ],
  relations: [{ schema: 'category', kind: '1:0', name: 'parent', tree: true, order: 'place' }],
};
/** A row refers to one that comes later. */
const ROWS = [
  { category_id: 1, category_title: 'Fruit', category_place: 2, parent_id: 3 },
  { category_id: 2, category_title: 'Apples', category_place: 1, parent_id: 1 },
  { category_id: 3, category_title: 'Food', category_place: null, parent_id: null },
  { category_id: 4, category_title: 'Pears', category_place: 0, parent_id: 1 },
];
const world: { projects: Project[]; urls: string[] } = { projects: [], urls: [] };

test.after.each(async () => {
  for (const project of world.projects.splice(0)) await project.remove();
  for (const url of world.urls.splice(0)) await removePlace(url);
});

function open(schema: unknown = CATEGORY): Project {
  const project = new Project('none');
  world.projects.push(project);
  project.write('config/schema/category.json', schema);
  return project;
}

async function plant(schema: unknown = CATEGORY, rows: readonly object[] = ROWS): Promise<Project> {
  const project = open(schema);
  project.write('rows.json', rows);
  await project.cli('migrate', '--yes');
  await project.cli('import', 'category', 'rows.json');
  return project;
}

const list = async (project: Project): Promise<unknown> => {
  await project.cli('export', 'category', '--out', 'out.json');
  return JSON.parse(readFileSync(project.path('out.json'), 'utf8'));
};

/** The message of a command that fails. */
const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: unknown) => String(error),
  );

async function checkTree(project: Project, expected: unknown): Promise<void> {
  assert.equal(await list(project), expected);
  const emit = ['emit', 'system-model-update', 'schema=category', 'category_id=3', 'parent_id=2'];
  assert.match(await failure(project.cli(...emit)), /Category 2 is below Category 3, so it cannot be above it/);
  assert.equal(await list(project), expected);
}

test('an export is imported as it was', async () => {
  const project = await plant();
  const rows = await list(project);
  await checkTree(await plant(CATEGORY, rows as object[]), rows);
});

test('a backup is restored as it was', async () => {
  const project = await plant();
  await project.cli('backup', '--out', 'data.backup');
  const other = open();
  await other.cli('restore', project.path('data.backup'), '--yes');
  await checkTree(other, await list(project));
});

test('it moves to another database, and to SQLite', async () => {
  const project = await plant();
  const rows = await list(project);
  const server = SERVER === undefined ? [] : [placeUrl()];
  for (const url of [...server, `sqlite:${project.path('moved.db')}`]) {
    world.urls.push(url);
    await project.cli('move', '--to', url, '--yes');
    const other = open();
    other.write('.env', `TREADLE_SECRET=test only, at least 32 characters long\nDATABASE_URL=${url}\n`);
    await checkTree(other, rows);
  }
});

test('rows below themselves are refused on the way, and nothing arrives', async () => {
  const { tree: _, order: __, ...free } = CATEGORY.relations[0] as Record<string, unknown>;
  const loose = { ...CATEGORY, relations: [free] };
  const project = await plant(loose, [...ROWS.slice(0, 2), { category_id: 3, category_title: 'Food', parent_id: 2 }]);
  await project.cli('backup', '--out', 'data.backup');
  const rows = await list(project);
  const other = await plant();
  const before = await list(other);
  const restored = await failure(other.cli('restore', project.path('data.backup'), '--yes', '--allow-loss'));
  assert.match(restored, /3 rows \(1, 2, 3\) are below themselves/);
  assert.equal(await list(other), before);
  other.write('rows.json', rows);
  assert.match(await failure(other.cli('import', 'category', 'rows.json')), /cannot be above it|below itself/);
  assert.equal(await list(other), before);
});

test.run();
