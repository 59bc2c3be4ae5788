// Also on PostgreSQL: what waits for a write depends on its transaction.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Reply, type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';
const ids = [];
export default function shop(app: App) {
  app.job('note', () => {});
  const queue = (name, options = {}) => app.queue('note', { name }, { delay: 9000, ...options });
  const ways = {
    async job(name) { ids.push(await queue(name)); },
    async keyed(name) { ids.push(await queue(name, { key: 'one ' + name }), await queue(name, { key: 'one ' + name })); },
    async early(name) { void queue(name); },
    async mail(name) { await app.mail({ to: 'ada@example.org', subject: name, template: 'plain' }); },
    async lateMail(name) { void app.mail({ to: 'ada@example.org', subject: name, template: 'plain' }); },
    async hook(name) { await app.emit('ticket-told', { name }); },
    async committed(name) { await app.emit('ticket-heard', { name }); },
    async event(name) { await app.emit('ticket-plain', { name }); },
    async unit(name) { await app.transaction(() => queue(name)); },
    async twice(name) { await app.transaction(() => app.transaction(() => queue(name))); },
  };
  app.on('ticket-plain', (request) => queue(request.getStage('name')));
  app.on('ticket-told', (request, response) => void response.setResults({ name: request.getStage('name') }));
  app.on('ticket-heard', (request, response) => void response.setResults({ name: request.getStage('name') }));
  app.webhook({ type: 'ticket.told', event: 'ticket-told', url: 'https://hook.example/' });
  app.committed('ticket-heard', 'heard', () => {});
  app.on(['system-model-create', 'system-model-update', 'system-model-remove'], async (request, response) => {
    const seat = String(request.getStage('ticket_seat') ?? '');
    const way = /^way (\\w+)/.exec(seat)?.[1];
    if (way) await ways[way](seat);
    if (seat.startsWith('answer')) { await queue(seat); response.setResults({ ticket_id: 0 }); return false; }
    if (seat.startsWith('rolled')) {
      await app.transaction(async () => { await queue(seat); throw new Error('back'); }).catch(() => {});
    }
    if (seat.startsWith('nested')) {
      await app.emit('system-model-create', { schema: 'talk', talk_title: 'of ' + seat });
      await queue(seat);
    }
    if (request.getStage('talk_title')?.startsWith('of')) await queue('talk ' + request.getStage('talk_title'));
  }, 5);
  app.on('system-model-create', (request, response) => {
    if (String(request.getStage('ticket_seat')).endsWith('refused')) response.setStatus(409).setError(true, 'No');
    if (String(request.getStage('ticket_seat')).endsWith('thrown')) throw new Error('broken');
  });
  app.on('system-model-import', async (request) => { await queue('import ' + request.getStage('rows').length); });
  app.on('ids', (request, response) => void response.setResults({ ids }));
}
`;
const WAYS = ['job', 'keyed', 'early', 'mail', 'lateMail', 'hook', 'committed', 'event', 'unit', 'twice'];

const listening = suite('what a listener queues waits for the write');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;

listening.before(async () => {
  const unique = [{ columns: ['talk_id', 'ticket_seat'], message: 'Taken' }];
  const files = { 'app/www/src/template/mail/plain.txt': 'Hello.\n' };
  world.shop = await startShop({ code, files, ticket: { unique } });
  await shop().emit('system-model-create', { schema: 'talk', talk_title: 'A' });
});
listening.after(() => shop().site.close());

const buy = (ticket_seat: string, headers: Record<string, string> = {}): Promise<Reply> =>
  shop().send('POST', '/rest/public/ticket/create', { talk_id: 1, ticket_seat }, headers);

/** Jobs, mails and events of web hooks that are stored. */
async function count(): Promise<number> {
  const tables = ['treadle_own_job', 'treadle_mail', 'treadle_event'];
  const counts = await Promise.all(tables.map(async (table) => (await shop().site.rows(table)).length));
  return counts.reduce((sum, rows) => sum + rows, 0);
}

/** How many are stored by some work. */
async function stored(work: () => Promise<unknown>): Promise<number> {
  const before = await count();
  await work();
  return (await count()) - before;
}

for (const way of WAYS) {
  listening(`${way}: once for a row that is stored, never for one that is not`, async () => {
    const seat = `way ${way}`;
    const statuses: number[] = [];
    const attempt =
      (given: string, headers = {}) =>
      async (): Promise<void> => {
        statuses.push((await buy(given, headers)).status);
      };
    assert.is(await stored(attempt(seat)), 1, 'stored with its row');
    assert.is(await stored(attempt(seat)), 0, 'the row exists already');
    assert.is(await stored(attempt(`${seat} refused`)), 0, 'another listener refuses');
    assert.is(await stored(attempt(`${seat} thrown`)), 0, 'another listener throws');
    // The answer of the refused call commits with its key.
    assert.is(await stored(attempt(seat, { 'idempotency-key': `again-${way}` })), 0, 'inside an open transaction');
    assert.is(await stored(attempt(`${seat} key`, { 'idempotency-key': `new-${way}` })), 1);
    assert.equal(statuses, [201, 409, 409, 500, 409, 201]);
  });
}

listening('the id is that of the job, also of one that is stored later', async () => {
  const { ids } = await shop().emit('ids', {});
  const rows = await shop().site.rows('treadle_own_job');
  const names = new Map(rows.map(({ own_job_id, data }) => [Number(own_job_id), String(data)]));
  const known = (ids as number[]).map((id) => names.get(id)).filter((data) => data !== undefined);
  const named = new Set(known.map((data) => JSON.parse(data).name));
  assert.equal([...named].sort(), ['way job', 'way job key', 'way keyed', 'way keyed key']);
  assert.is(new Set(rows.map((row) => Number(row.own_job_id))).size, rows.length);
});

listening('an update, a removal, and an update that changes nothing', async () => {
  const { ticket_id } = await shop().emit('system-model-create', { schema: 'ticket', talk_id: 1, ticket_seat: 'old' });
  const seat = { talk_id: 1, ticket_seat: 'way job update' };
  const update = async (ticket_id: unknown) =>
    shop().site.app.emit('system-model-update', { schema: 'ticket', ticket_id, ...seat });
  assert.is(await stored(() => update(ticket_id)), 1);
  assert.is(await stored(() => update(ticket_id)), 1, 'nothing changes, and nothing is refused');
  assert.is(await stored(() => update(9999)), 0);
});

listening('a batch and an import: with all rows or none', async () => {
  const create = (ticket_seat: string) => ({ action: 'create', values: { talk_id: 1, ticket_seat } });
  const emit = (event: string, stage: object) => shop().site.app.emit(event, { schema: 'ticket', ...stage });
  const good = [create('way job batch 1'), create('way job batch 2')];
  assert.is(await stored(() => emit('system-model-batch', { operations: good })), 2);
  const bad = [create('way job batch 3'), create('way job batch 1')];
  assert.is(await stored(() => emit('system-model-batch', { operations: bad })), 0);
  const row = (seat: string) => ({ talk_id: 1, ticket_seat: seat });
  assert.is(await stored(() => emit('system-model-import', { rows: [row('row 1'), row('row 2')] })), 1);
  assert.is(await stored(() => emit('system-model-import', { rows: [row('row 3'), { talk_id: 99 }] })), 0);
  assert.is(await stored(() => emit('system-model-import', { rows: [row('row 4')], dry_run: true })), 0);
});

listening('a write inside the listener has its own jobs, whatever becomes of the outer one', async () => {
  assert.is(await stored(() => buy('nested 1')), 2);
  assert.is(await stored(() => buy('nested 1')), 1, 'the talk is stored, the ticket is not');
});

listening('a transaction inside the listener that is rolled back takes its jobs with it', async () => {
  assert.is(await stored(() => buy('rolled 1')), 0);
});

listening('a listener that answers in place of Treadle waits for no write', async () => {
  assert.is(await stored(() => buy('answer 1')), 1);
});

listening.run();
