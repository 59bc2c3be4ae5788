import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEMPLATES } from '../../src/cli/create/template.ts';
import { run } from '../cli/run.ts';
import { Project } from '../project.ts';

const test = suite('check/fixed-index');

const SCHEMA = {
  name: 'paper',
  singular: 'Paper',
  plural: 'Papers',
  fields: [
    { name: 'kind', type: 'text', filterable: true, sortable: true },
    { name: 'published', type: 'switch', filterable: true },
    { name: 'views', type: 'number', filterable: true, sortable: true },
    { name: 'active', type: 'active' },
  ],
};

interface Advice {
  readonly code: string;
  readonly file: string;
  readonly path: string;
  readonly hint: string;
  readonly severity: string;
}

/** The advice about a call with these fixed parameters. */
async function check(parameters: object, schema: object = {}, template: 'none' | 'blog' | 'bare' = 'none') {
  const project = new Project(template);
  try {
    project.write('config/schema/paper.json', { ...SCHEMA, ...schema });
    project.write('config/rest/paper-search.json', {
      ...{ title: 'Papers', description: 'Lists papers', access: 'public', method: 'get', open: true },
      ...{ path: '/public/paper/search', event: 'system-model-search', parameters: { schema: 'paper', ...parameters } },
    });
    const { code, out } = await run(['check', '--json'], { cwd: project.root });
    const { problems } = JSON.parse(out) as { readonly problems: readonly Advice[] };
    return { code, found: problems.filter((problem) => problem.code === 'REST_INDEX_MISSING') };
  } finally {
    await project.remove();
  }
}

test('a call that fixes a filter and a sort by another column gets the line for its index', async () => {
  const { code, found } = await check({ filter: { paper_kind: 'a' }, sort: '-paper_views' });
  assert.is(code, 0, 'advice fails no check');
  const [advice] = found;
  assert.is(found.length, 1);
  assert.is(advice?.file, 'config/rest/paper-search.json');
  assert.is(advice?.path, 'parameters.sort');
  assert.is(advice?.severity, 'advice');
  assert.is(
    advice?.hint,
    'Add to config/schema/paper.json: "indexes": [{ "columns": ["kind", "-views"] }], or run: treadle schema update paper --add-index kind,-views',
  );
});

test('a flag that the call fixes becomes the condition of a partial index', async () => {
  const fixed = { filter: { paper_published: true }, sort: { paper_views: 'DESC' } };
  const [advice] = (await check(fixed)).found;
  assert.match(advice?.hint ?? '', '"indexes": [{ "columns": ["-views"], "where": { "published": true } }]');
  assert.match(advice?.hint ?? '', "treadle schema update paper --add-index '-views where published=true'");
  const indexes = [{ columns: ['-views'], where: { published: true } }];
  assert.equal(await check(fixed, { indexes }), { code: 0, found: [] });
});

test('nothing is said where an index is there, or one column is enough', async () => {
  const indexes = [{ columns: ['kind', 'views'] }];
  for (const [parameters, schema] of [
    [{ filter: { paper_kind: 'a' }, sort: '-paper_views' }, { indexes }],
    [{ filter: { paper_kind: 'a' } }, {}],
    [{ filter: { paper_published: true } }, {}],
    [{ sort: '-paper_views' }, {}],
    [{ filter: { paper_views: { gt: 5 } }, sort: '-paper_views' }, {}],
    [{ filter: { paper_kind: 'a' }, sort: 'paper_kind' }, {}],
    [{ filter: { paper_kind: { contains: 'a' } }, sort: 'paper_views' }, {}],
  ] as const)
    assert.equal((await check(parameters, schema)).found, [], JSON.stringify(parameters));
});

test('no call of the scaffolds is advised', async () => {
  for (const template of TEMPLATES) assert.equal((await check({}, {}, template)).found, []);
});

test.run();
