// Also on PostgreSQL: who reaches which rows becomes SQL.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOBODY, runAs } from '../../src/core/access.ts';
import { Request } from '../../src/core/request/request.ts';
import { Response } from '../../src/core/request/response.ts';
import { startWorld, type World } from './_world.ts';

/** Work without an access reaches nothing, by any event or call. */
const test = suite('security: no access');

let world: World;

test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const STAGE = {
  schema: 'article',
  schema1: 'article',
  schema2: 'comment',
  article_id: 1,
  comment_id: 1,
  article_title: 'T',
  profile_id: 1,
  auth_id: 1,
  auth_slug: 'ann@example.org',
  operations: [{ action: 'update', id: 1, values: { article_title: 'T' } }],
  rows: [{ article_id: 1, article_title: 'T' }],
};

async function emitAsNobody(event: string, request: Request): Promise<Response> {
  const response = new Response(request);
  try {
    await runAs(NOBODY, () => world.site.app.context.emit(event, request, response));
  } catch (error) {
    assert.is((error as { code?: string }).code, 'ACCESS_MISSING', `${event}: ${String(error)}`);
    response.removeResults().setError(true, 'ACCESS_MISSING');
  }
  return response;
}

const dump = async (): Promise<string> => {
  const { kysely } = world.site.app.services.database;
  const tables = ['article', 'comment', 'profile', 'treadle_auth'];
  return JSON.stringify(await Promise.all(tables.map((table) => kysely.selectFrom(table).selectAll().execute())));
};

test('every event that touches rows or accounts is refused', async () => {
  const before = await dump();
  const events = world.site.app.plan.events.map(({ name }) => name);
  const touching = events.filter((event) =>
    /^(?:system-(?:model|relation|upload)-|auth-(?:detail|search|update|remove|restore|reset))/.test(event),
  );
  assert.ok(touching.length > 12, String(touching));
  for (const event of touching) {
    const answer = await emitAsNobody(event, new Request().setStage(STAGE));
    assert.is(answer.isError(), true, event);
    assert.is(answer.hasResults(), false, event);
  }
  assert.is(await dump(), before);
});

test('every call makes its own access, in any context', async () => {
  const before = await dump();
  for (const { definition, path } of world.site.app.plan.calls) {
    if (definition.access === 'public') continue;
    const method = definition.method === 'all' ? 'GET' : definition.method.toUpperCase();
    const real = path.replace(/:[a-z_]+/g, '1');
    const answer = await emitAsNobody(`${method} ${real}`, new Request({ method, path: real }));
    assert.is(answer.isError(), true, `${method} ${real}`);
    assert.is(answer.hasResults(), false, `${method} ${real}`);
  }
  assert.is(await dump(), before);
});

test('a new request that a listener makes inherits the access', async () => {
  const { context } = world.site.app;
  const response = await context.services.database.transaction(async () => {
    const made = new Response();
    await runAs(NOBODY, () => context.emit('system-model-detail', new Request().setStage(STAGE), made)).catch(() => {});
    return made;
  });
  assert.is(response.hasResults(), false);
});

test.run();
