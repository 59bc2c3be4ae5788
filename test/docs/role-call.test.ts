// The guide's call for a role, as it is printed there.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { findPath, readBlocks } from './_block.ts';

const SHOWN = ['config/rest/ticket-check-in.json', 'config/scope/gate.json', 'config/role/gate.json'];

const TICKET = {
  name: 'ticket',
  singular: 'Ticket',
  plural: 'Tickets',
  fields: [
    { name: 'code', label: 'Code', type: 'text', unique: true },
    { name: 'status', label: 'Status', type: 'text', filterable: true },
  ],
  relations: [{ schema: 'profile', kind: '1:1' }],
};

const APP = { title: 'Gate', clientId: 'gate', redirectUris: ['https://gate.example/cb'], scopes: ['gate'] };

const blocks = readBlocks('docs/guide/roles.md');
const state: { site?: Site } = {};
const site = (): Site => state.site as Site;

const test = suite('docs/role-call');
test.before(async () => {
  const shown = SHOWN.map((file) => [file, blocks.find((block) => findPath(block) === file)?.text ?? ''] as const);
  const code = blocks.find(({ text }) => text.includes("path: '/gate/close'"))?.text ?? '';
  state.site = await boot({
    template: 'bare',
    files: {
      ...Object.fromEntries(shown),
      'config/schema/ticket.json': JSON.stringify(TICKET),
      'config/app/gate.json': JSON.stringify(APP),
      'app/www/.treadle.ts': `export default function (app) {\n${code}}\n`,
    },
    settings: { api: true },
  });
  await site().as('Ada');
  for (const [ticket_code, ticket_status] of [
    ['A7', 'paid'],
    ['B8', 'reserved'],
  ])
    await site().emit('system-model-create', { schema: 'ticket', ticket_code, ticket_status, profile_id: 1 });
});
test.after(() => state.site?.close());

const asToken = async (name: string, roles: readonly string[]) => {
  await site().as(name, roles);
  const found = await site().emit('auth-search', { q: name.toLowerCase() });
  return site().asApp({ profile: Number(found.getResults('rows', 0, 'profile_id')), scopes: ['gate'] });
};

test('only the role checks a paid ticket in, once', async () => {
  const [bea, carl] = [await asToken('Bea', ['gate']), await asToken('Carl', [])];
  const post = async (client: typeof bea, code: string) =>
    (await client.send('POST', `/rest/gate/ticket/${code}`, { json: {} })).status;
  assert.is(await post(carl, 'A7'), 403);
  assert.is(await post(bea, 'B8'), 404);
  const scanned = await Promise.all(
    Array.from({ length: 5 }, () => bea.send('POST', '/rest/gate/ticket/A7', { json: {} })),
  );
  const [used, ...others] = scanned.sort((a, b) => a.status - b.status);
  assert.is(used?.status, 200, used?.text);
  assert.is(used?.json().results.ticket_status, 'used');
  assert.equal(new Set(others.map(({ status }) => status)), new Set([404]), 'of calls at the same moment, one wins');
});

test('the call by hand refuses others, and finds the e-mail address', async () => {
  const [bea, carl] = [await asToken('Bea', ['gate']), await asToken('Carl', [])];
  assert.is((await carl.post('/rest/gate/close', {})).status, 403);
  const closed = await bea.post('/rest/gate/close', {});
  assert.is(closed.status, 200, closed.text);
  assert.match(closed.json().results.closed_by, /^bea@/);
});

test.run();
