import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { webhook } from '../../../src/feature/webhook/index.ts';
import { describeStage } from '../../../src/plan/event/describe.ts';
import { CALLBACK, createWorld, hooks, type World } from './_flow.ts';

/** Every event that changes an app, or what belongs to it, by its owner. */
const test = suite<World & { appId: number }>('an owner that does not own the app');

const HOOK = 'mine';
const TABLES = ['treadle_app', 'treadle_receiver', 'treadle_delivery'];

test.before.each(async (at) => {
  Object.assign(at, await createWorld({ model: { hooks }, features: [webhook] }));
  const made = await at.site.emit('app-create', {
    title: 'One',
    owner: 1,
    redirect_uris: [CALLBACK],
    webhook: 'https://one.example/hook',
    hooks: [HOOK],
  });
  at.appId = Number(made.getResults('app_id'));
});
test.after.each(({ site }) => site.close());

const readTables = ({ site }: World) => Promise.all(TABLES.map((table) => site.rows(table)));

const listEvents = ({ site }: World) =>
  site.context.plan.events.filter((record) => {
    const keys = Object.keys(describeStage(record));
    return record.kind === 'writes' && keys.includes('owner') && keys.includes('app_id');
  });

const send = async ({ site }: World, event: string, request: Request): Promise<Response> => {
  const response = new Response(request);
  await site.context.emit(event, request, response);
  return response;
};

for (const owner of ['', 'nobody', 0, 2])
  test(`${JSON.stringify(owner)} changes nothing`, async (world) => {
    const before = await readTables(world);
    const events = listEvents(world);
    assert.ok(events.length >= 10, String(events.length));
    for (const { name } of events) {
      const stage = { app_id: world.appId, owner, hook: HOOK, title: 'Two', state: 'any' };
      const response = await send(world, name, new Request().setStage(stage));
      assert.ok(response.isError() || response.getResults('count') === 0, name);
    }
    assert.equal(await readTables(world), before);
  });

test('a request cannot ask for the apps of every owner', async (world) => {
  const before = await readTables(world);
  for (const { name } of listEvents(world)) {
    const stage = { app_id: world.appId, owner: 2, hook: HOOK, title: 'Two', state: 'any' };
    const response = await send(world, name, new Request().bringStage({ any: true }).setStage(stage));
    assert.ok(response.isError() || response.getResults('count') === 0, name);
  }
  assert.equal(await readTables(world), before);
});

test.run();
