import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { tellAlive } from '../../../src/feature/admin-definition/processes.ts';
import { listSavesOf, undoSave } from '../../../src/feature/admin-definition/undo.ts';
import { boot, type Site } from '../../boot.ts';

const test = suite('saving definitions from the admin section');

const WRITING = { admin: { write: true } };

/** What an event answers, also where it refuses. */
async function emit(site: Site, event: string, stage: Row) {
  const response = await site.app.emit(event, stage);
  return {
    status: response.getStatus(),
    results: response.getResults() as Record<string, unknown> & { outcome: Record<string, unknown> },
    validation: response.getValidation() as Record<string, string>,
    message: response.getMessage(),
  };
}

const TASK = {
  name: 'task',
  singular: 'Task',
  plural: 'Tasks',
  display: '{{task_title}}',
  fields: [
    { name: 'title', label: 'Title', type: 'text', required: true },
    { name: 'note', label: 'Note', type: 'textarea' },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
    { name: 'updated', type: 'updated' },
  ],
};

const all = (): boolean => true;

test('an event writes the file that the command writes, and serves it at once', async () => {
  const [site, twin] = [await boot({ settings: WRITING }), await boot({ settings: WRITING })];
  try {
    const made = await emit(site, 'system-schema-create', { ...TASK });
    assert.is(made.status, 200, JSON.stringify(made));
    assert.is(made.results.outcome.state, 'saved');
    await twin.cli('schema', 'create', 'task', '--field', 'title:text:required', '--field', 'note:textarea');
    assert.is(site.project.read('config/schema/task.json'), twin.project.read('config/schema/task.json'));
    const row = await site.emit('system-model-create', { schema: 'task', title: 'x', task_title: 'One' });
    assert.is(row.getResults('task_title'), 'One');
    const again = await emit(site, 'system-schema-create', { ...TASK });
    assert.is(again.status, 409);
    const found = await emit(site, 'system-schema-search', {});
    assert.ok((found.results.rows as { name: string }[]).some(({ name }) => name === 'task'));
  } finally {
    await Promise.all([site.close(), twin.close()]);
  }
});

test('a changed file is a conflict; a bad definition, a blocked migration and a closed server write nothing', async () => {
  const site = await boot({ settings: WRITING });
  const file = 'config/schema/comment.json';
  try {
    const before = site.project.read(file);
    const stale = await emit(site, 'system-schema-update', { name: 'comment', plural: 'Replies', base: 'other' });
    assert.is(stale.status, 409);
    assert.is(stale.results.outcome.state, 'conflict');
    assert.is(stale.results.outcome.disk, before);
    assert.match(String(stale.results.outcome.mine), /"Replies"/);
    const bad = await emit(site, 'system-schema-update', {
      name: 'comment',
      fields: [{ name: 'detail', type: 'fieldset', fieldset: 'nowhere' }],
    });
    assert.is(bad.status, 422);
    assert.ok(Object.keys(bad.validation).length > 0);
    assert.is(site.project.read(file), before);
    const preview = await emit(site, 'system-schema-update', { name: 'comment', plural: 'Replies', do: 'preview' });
    assert.is(preview.results.outcome.state, 'previewed');
    assert.is(site.project.read(file), before);
  } finally {
    await site.close();
  }
  const closed = await boot();
  try {
    const refused = await emit(closed, 'system-schema-update', { name: 'comment', plural: 'Replies' });
    assert.is(refused.status, 403);
    assert.match(refused.message ?? '', /admin\.write/);
  } finally {
    await closed.close();
  }
});

test('a removed field keeps its values until somebody allows their loss; each save can be undone once', async () => {
  const site = await boot({ settings: WRITING });
  try {
    await emit(site, 'system-schema-create', { ...TASK });
    await site.emit('system-model-create', { schema: 'task', task_title: 'One', task_note: 'kept' });
    const fields = TASK.fields.filter(({ name }) => name !== 'note');
    const preview = await emit(site, 'system-schema-update', { name: 'task', fields, do: 'preview' });
    const review = preview.results.outcome.review as { isLosing: boolean; steps: { level: string; rows: number }[] };
    assert.ok(review.isLosing);
    assert.ok(review.steps.some(({ level, rows }) => level === 'lose' && rows === 1));
    const text = site.project.read('config/schema/task.json');
    assert.is((await emit(site, 'system-schema-update', { name: 'task', fields })).status, 200);
    assert.is((await site.rows('task'))[0]?.task_note, 'kept');
    const [save] = await listSavesOf(site.app.context, all);
    assert.ok(save?.isUndoable);
    const undone = await undoSave(site.app.context, save?.id ?? 0);
    assert.is(undone?.state, 'saved');
    assert.is(site.project.read('config/schema/task.json'), text);
    const twice = await undoSave(site.app.context, save?.id ?? 0);
    assert.is(twice?.state, 'conflict');
    assert.is((await emit(site, 'system-schema-update', { name: 'task', fields, allow_loss: 1 })).status, 200);
    assert.not('task_note' in ((await site.rows('task'))[0] ?? {}));
  } finally {
    await site.close();
  }
});

test('a new required field asks for a value for the rows that exist', async () => {
  const site = await boot({ settings: WRITING });
  try {
    await emit(site, 'system-schema-create', { ...TASK });
    await site.emit('system-model-create', { schema: 'task', task_title: 'One' });
    const fields = [{ name: 'state', label: 'State', type: 'text', required: true }, ...TASK.fields];
    const asked = await emit(site, 'system-schema-update', { name: 'task', fields });
    assert.is(asked.status, 422);
    const { steps } = asked.results.outcome.review as { steps: { asks?: string }[] };
    const name = steps.find(({ asks }) => asks !== undefined)?.asks ?? '';
    assert.is(name, 'task.state');
    const saved = await emit(site, 'system-schema-update', { name: 'task', fields, defaults: { [name]: 'open' } });
    assert.is(saved.status, 200, JSON.stringify(saved));
    assert.is((await site.rows('task'))[0]?.task_state, 'open');
  } finally {
    await site.close();
  }
});

test('a removed schema can be restored, byte for byte; who holds data only changes no definition', async () => {
  const site = await boot({
    settings: WRITING,
    files: {
      'config/role/writer.json': {
        slug: 'writer',
        name: 'Writer',
        permissions: [{ method: 'all', path: '/admin/system/model/**' }],
      },
      'app/www/src/controller/probe.ts':
        "export default (app) => app.get('/probe', async (request, response) => { request.setStage('name', 'comment'); await app.emit('system-schema-detail', request, response); response.setContent(String(response.getStatus())); });",
    },
    change: (project) =>
      project.write(
        'app/www/.treadle.ts',
        project
          .read('app/www/.treadle.ts')
          .replace('export default [', "import probe from './src/controller/probe';\nexport default [probe, "),
      ),
  });
  try {
    await emit(site, 'system-schema-create', { ...TASK });
    const text = site.project.read('config/schema/task.json');
    assert.is((await emit(site, 'system-schema-remove', { name: 'task' })).status, 200);
    assert.not(existsSync(site.project.path('config/schema/task.json')));
    const gone = await emit(site, 'system-schema-search', { filter: { active: 0 } });
    assert.equal(
      (gone.results.rows as { name: string }[]).map(({ name }) => name),
      ['task'],
    );
    assert.is((await emit(site, 'system-schema-restore', { name: 'task' })).status, 200);
    assert.is(site.project.read('config/schema/task.json'), text);
    const refused = await emit(site, 'system-schema-remove', { name: 'profile' });
    assert.is(refused.status, 422);
    for (const [name, roles, status] of [
      ['a', ['admin'], '200'],
      ['b', ['writer'], '403'],
      ['c', [], '403'],
    ] as const) {
      assert.is((await (await site.as(name, roles)).get('/probe')).text, status, name);
    }
  } finally {
    await site.close();
  }
});

test('it writes nothing while another process serves the database from other files', async () => {
  const site = await boot({ settings: WRITING });
  const { services } = site.app;
  const row = (folder: string) => ({ id: folder, folder, seen_at: Math.floor(services.clock.now() / 1000) });
  const change = () => emit(site, 'system-schema-update', { name: 'comment', plural: 'Replies' });
  try {
    await tellAlive(services);
    const { kysely } = services.database;
    await kysely.insertInto('treadle_server_process').values(row('elsewhere')).execute();
    const refused = await change();
    assert.is(refused.status, 403);
    assert.match(refused.message ?? '', /other files/);
    await kysely.updateTable('treadle_server_process').set({ seen_at: 1 }).where('id', '=', 'elsewhere').execute();
    assert.is((await change()).status, 200);
  } finally {
    await site.close();
  }
});

test('a role undoes only what it may change', async () => {
  const site = await boot({
    settings: WRITING,
    files: {
      'config/role/grouper.json': {
        slug: 'grouper',
        name: 'Grouper',
        permissions: [{ method: 'all', path: '/admin/system/fieldset/**' }],
      },
    },
  });
  try {
    await emit(site, 'system-schema-create', { ...TASK });
    const [save] = await listSavesOf(site.app.context, all);
    const grouper = await site.as('grouper', ['grouper']);
    assert.is((await grouper.get('/admin/system/fieldset/search')).status, 200);
    assert.is((await grouper.post(`/admin/system/fieldset/undo/${save?.id}`, {})).status, 403);
    assert.ok(existsSync(site.project.path('config/schema/task.json')));
  } finally {
    await site.close();
  }
});

test('the navigation offers definitions to nobody who may open data only', async () => {
  const site = await boot({
    files: {
      'config/role/writer.json': {
        slug: 'writer',
        name: 'Writer',
        permissions: [
          { method: 'all', path: '/admin' },
          { method: 'all', path: '/admin/system/model/**' },
        ],
      },
    },
  });
  try {
    const page = await (await site.as('writer', ['writer'])).get('/admin');
    assert.match(page.text, /"\/admin\/system\/model\/article\/search"/);
    assert.not.match(page.text, /"\/admin\/system\/model\/rest\/search"/);
  } finally {
    await site.close();
  }
});

test.run();
