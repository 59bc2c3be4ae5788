// Also on PostgreSQL: what follows a commit depends on the transaction.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../boot.ts';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';
const heard = [];
let fails = 1;
export default function shop(app: App) {
  app.after('system-model-create', { schema: 'ticket' }, (request, response) => {
    response.setResults('ticket_number', 'T-' + response.getResults('ticket_id'));
    if (response.getResults('ticket_seat') === 'refused') response.setStatus(409).setError(true, 'no');
  });
  app.committed('system-model-create', 'ticket-made', ({ id, event, results, attempt }) => {
    heard.push({ id, event, number: results.ticket_number, seat: results.ticket_seat, attempt, hasStage: 'secret' in results });
    if (results.ticket_seat === 'again' && fails-- > 0) throw new Error('later');
  }, { schema: 'ticket' });
  app.committed('order-*', 'order', ({ event, results, isPartial }) => void heard.push({ event, results, isPartial }));
  app.on('order-paid', (request, response) => {
    response.setResults({ short: 1, long: 'x'.repeat(request.getStage('length') ?? 1) });
  });
  app.on('heard', (request, response) => void response.setResults(heard));
  app.rest({ access: 'public', method: 'post', path: '/twice' }, (request, response) => app.transaction(async () => {
    await app.emit('system-model-create', { schema: 'ticket', talk_id: 1, ticket_seat: 'gone' });
    response.setStatus(409).setError(true, 'no');
    throw new Error('no');
  }));
}
`;

interface Heard {
  readonly id: string;
  readonly event: string;
  readonly number?: string;
  readonly seat?: string;
  readonly attempt?: number;
  readonly hasStage?: boolean;
  readonly results?: unknown;
  readonly isPartial?: boolean;
}

const committed = suite('committed');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;
const hear = async (): Promise<readonly Heard[]> => (await shop().site.emit('heard')).getResults();

committed.before(async () => {
  world.shop = await startShop({ code });
  await shop().emit('system-model-create', { schema: 'talk', talk_title: 'A' });
});
committed.after(() => shop().site.close());

const buy = (ticket_seat: string) => shop().send('POST', '/rest/public/ticket/create', { talk_id: 1, ticket_seat });

committed('runs once a change is durable, with the results that were answered', async () => {
  await shop().emit('system-model-create', { schema: 'ticket', talk_id: 1, ticket_seat: 'one', secret: 'x' });
  const [first] = await until(async () => {
    const found = (await hear()).filter(({ seat }) => seat === 'one');
    return found.length > 0 ? found : undefined;
  });
  assert.equal(first, { ...first, event: 'system-model-create', number: 'T-1', attempt: 1, hasStage: false } as Heard);
  assert.type(first?.id, 'string');
  await shop().emit('system-model-create', { schema: 'talk', talk_title: 'B' });
});

committed('not for what was refused, taken back or rolled back', async () => {
  assert.is((await buy('refused')).status, 409);
  assert.is((await shop().send('POST', '/rest/twice', {})).status, 500);
  assert.is((await buy('two')).status, 201);
  await until(async () => (await hear()).some(({ seat }) => seat === 'two') || undefined);
  assert.equal(
    (await hear()).map(({ seat }) => seat).filter((seat) => seat === 'refused' || seat === 'gone'),
    [],
  );
});

committed('is repeated after an error, with the same id', async () => {
  assert.is((await buy('again')).status, 201);
  await until(async () => (await hear()).some(({ seat }) => seat === 'again') || undefined);
  const waiting = await until(async () => {
    const { rows } = await shop().emit('job-search', {});
    return (rows as Record<string, unknown>[]).find(
      ({ name, reason }) => name === 'committed:ticket-made' && reason === 'later',
    );
  });
  await shop().emit('job-retry', { job_id: waiting.job_id ?? waiting.id });
  const both = await until(async () => {
    const found = (await hear()).filter(({ seat }) => seat === 'again');
    return found.length === 2 ? found : undefined;
  });
  assert.is(both[0]?.id, both[1]?.id);
  assert.equal(
    both.map(({ attempt }) => attempt),
    [1, 2],
  );
});

committed('hears events of one’s own, by pattern; long values of large results are left out', async () => {
  await shop().site.emit('order-shipped', {});
  await shop().site.emit('order-paid', { length: 70_000 });
  const events = await until(async () => {
    const found = (await hear()).filter(({ event }) => event.startsWith('order-'));
    return found.length === 2 ? found : undefined;
  });
  const paid = events.find(({ event }) => event === 'order-paid');
  assert.equal(paid, { event: 'order-paid', results: { short: 1 }, isPartial: true } as unknown as Heard);
});

committed.run();
