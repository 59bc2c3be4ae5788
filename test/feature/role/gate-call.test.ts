// The call of docs/guide/calls.md#a-call-for-a-role: without code, for one role, and each row once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../../boot.ts';

const test = suite('a call for a role');

const FILES = {
  'config/schema/ticket.json': {
    name: 'ticket',
    singular: 'Ticket',
    plural: 'Tickets',
    fields: [
      { name: 'code', type: 'text', unique: true },
      { name: 'status', type: 'text', filterable: true, write: 'server' },
    ],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
  'config/rest/ticket-use.json': {
    title: 'Use a ticket',
    access: 'user',
    method: 'post',
    path: '/gate/ticket/:ticket_code',
    event: 'system-model-update',
    parameters: { schema: 'ticket', ticket_status: 'used' },
    own: false,
  },
  'config/scope/gate.json': { slug: 'gate', name: 'Use tickets', access: 'user', calls: ['ticket-use'] },
  'config/role/gate.json': {
    slug: 'gate',
    name: 'Gate',
    permissions: [],
    data: {
      ticket: {
        detail: true,
        update: { filter: { ticket_status: 'paid' }, check: { ticket_status: 'used' }, write: ['status'] },
      },
    },
  },
  'config/app/scanner.json': {
    title: 'Scanner',
    clientId: 'app_scanner0000000000000000',
    redirectUris: ['https://scanner.example.org/'],
    scopes: ['gate'],
  },
};

test('is refused to others, finds a row by its unique column, and changes it once', async () => {
  const site = await boot({ template: 'bare', files: FILES, settings: { api: true } });
  try {
    for (const [name, roles] of [
      ['Ann', ['gate']],
      ['Ben', []],
    ] as const)
      await site.as(name, roles);
    for (const [ticket_code, ticket_status] of [
      ['AAA', 'paid'],
      ['BBB', 'reserved'],
    ])
      await site.emit('system-model-create', { schema: 'ticket', ticket_code, ticket_status, profile_id: 2 });
    const ann = await site.asApp({ profile: 1, scopes: ['gate'] });
    const ben = await site.asApp({ profile: 2, scopes: ['gate'] });
    const use = async (app: typeof ann, code: string): Promise<number> =>
      (await app.send('POST', `/rest/gate/ticket/${code}`)).status;
    assert.is(await use(ben, 'AAA'), 403, 'not the role');
    assert.is(await use(ann, 'BBB'), 404, 'not paid');
    assert.is(await use(ann, 'CCC'), 404, 'no such code');
    const scanned = await Promise.all(Array.from({ length: 5 }, () => use(ann, 'AAA')));
    assert.equal(scanned.sort(), [200, 404, 404, 404, 404], 'once, also at the same moment');
    assert.is((await site.rows('ticket'))[0]?.ticket_status, 'used');
  } finally {
    await site.close();
  }
});

test.run();
