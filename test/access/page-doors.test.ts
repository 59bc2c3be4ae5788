import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listPageDoors } from '../../src/access/page-doors.ts';
import { compileProject } from '../../src/boot.ts';
import type { Model } from '../../src/model/model.ts';
import { Project } from '../project.ts';

const test = suite('access/page-doors');
const project = new Project();
const state = {} as { model: Model };

test.before(async () => {
  project.write('config/role/staff.json', {
    slug: 'staff',
    name: 'Staff',
    permissions: [{ method: 'all', path: '/staff/**' }],
  });
  const { plan } = await compileProject(project.root);
  if (plan === undefined) throw new Error('The project does not compile.');
  state.model = plan.model;
});
test.after(() => project.remove());

/** Doors of a controller's text, as `role: actions schema`. */
const read = (text: string): string[] =>
  listPageDoors(state.model, [{ file: 'app/www/src/controller/x.ts', text }])
    .map(({ role, actions, schema }) => `${role}: ${actions.join(' ')} ${schema}`)
    .sort();

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a page that reads',
    `app.get('/a', async (request, response) => { request.setStage('schema', 'article'); await app.emit('system-model-search', request, response); });`,
    ['guest: search article'],
  ],
  [
    'a page that writes for whoever comes',
    `app.post('/a', async () => { await app.emit('system-model-create', { schema: 'comment', comment_detail: 'x' }); });`,
    ['guest: create comment'],
  ],
  [
    'a page that sends visitors away',
    `app.post('/a', async (request, response) => { const me = request.getSession('me', 'profile_id'); if (!me) return response.setStatus(403); await app.emit('system-model-update', { schema: 'comment' }); });`,
    ['user: update comment'],
  ],
  [
    'a page that only knows who is logged in',
    `app.post('/a', async (request) => { const me = request.getSession('me'); await app.emit('system-model-update', { schema: 'article', me }); });`,
    ['guest: update article'],
  ],
  [
    'a page that a role guards',
    `app.post('/staff/a', async () => { await app.emit('system-model-remove', { schema: 'article' }); });`,
    ['staff: remove article'],
  ],
  [
    'a link, asked of the schema that declares the relation',
    `app.post('/a', async (request, response) => { request.setStage('schema1', 'comment').setStage('schema2', 'article'); await app.emit('system-relation-link', request, response); });`,
    ['guest: link article'],
  ],
  [
    'a call by hand',
    `app.rest({ access: 'app', method: 'get', path: '/x' }, async () => { await app.emit('system-model-search', { schema: 'article' }); });`,
    ['app: search article'],
  ],
  [
    'a schema that the text does not tell',
    `app.get('/:schema', async (request, response) => { request.setStage('schema', request.getParameters('schema')); await app.emit('system-model-detail', request, response); });`,
    ['guest: detail article', 'guest: detail comment', 'guest: detail profile'],
  ],
  [
    'an event in a constant',
    `const EVENT = 'system-model-restore'; app.post('/a', async () => { await app.emit(EVENT, { schema: 'comment' }); });`,
    ['guest: restore comment'],
  ],
  ['a listener', `app.on('system-model-create', () => {});`, []],
  ['a comment', `// app.emit('system-model-create', { schema: 'comment' })`, []],
  [
    'work of the system',
    `app.job('tidy', async () => { await app.emit('system-model-remove', { schema: 'comment' }); });`,
    [],
  ],
  [
    'code as the system',
    `app.post('/a', async () => { await app.asSystem(() => app.emit('system-model-remove', { schema: 'comment' })); });`,
    [],
  ],
];

for (const [what, text, doors] of CASES)
  test(what, () => {
    assert.equal(read(text), [...doors].sort());
  });

test.run();
