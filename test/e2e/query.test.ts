// Also on PostgreSQL: a project sends SQL of its own.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Shop, startShop } from './_shop.ts';

const code = `
import type { App } from 'treadle';
export default function shop(app: App) {
  const report = () => app.query.selectFrom('ticket').select((make) => ['talk_id', make.fn.countAll().as('sold')])
    .groupBy('talk_id').execute();
  app.on('report', async (_, response) => void response.setResults(await report()));
  app.on('inside', async (_, response) => {
    await app.transaction(async () => {
      await app.emit('system-model-create', { schema: 'ticket', talk_id: 1 });
      const seen = await report();
      await app.emit('system-model-create', { schema: 'ticket', talk_id: 1 });
      response.setResults([seen, await report()]);
    });
  });
  app.on('write', async (request) => {
    const way = request.getStage('way');
    if (way === 'kysely') await app.query.deleteFrom('ticket').execute();
    else await app.query.executeQuery({ sql: way, parameters: [], query: { kind: 'RawNode' }, queryId: { queryId: 'x' } });
  });
}
`;

const query = suite('app.query');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;
const emit = async (event: string, stage = {}): Promise<Record<string, unknown>[]> =>
  (await shop().site.emit(event, stage)).getResults();

query.before(async () => {
  world.shop = await startShop({ code });
  await shop().emit('system-model-create', { schema: 'talk', talk_title: 'A' });
  await shop().emit('system-model-create', { schema: 'ticket', talk_id: 1 });
});
query.after(() => shop().site.close());

const toPlain = (rows: unknown): unknown =>
  JSON.parse(JSON.stringify(rows), (key, value) => (key === 'sold' ? Number(value) : value));

query('counts over the tables', async () => {
  assert.equal(toPlain(await emit('report')), [{ talk_id: 1, sold: 1 }]);
});

query('sees what its transaction has written, which goes on writing', async () => {
  assert.equal(toPlain(await emit('inside')), [[{ talk_id: 1, sold: 2 }], [{ talk_id: 1, sold: 3 }]]);
  assert.equal(toPlain(await emit('report')), [{ talk_id: 1, sold: 3 }]);
});

query('cannot write', async () => {
  const ways = [
    'kysely',
    'delete from ticket',
    'select 1; delete from ticket',
    'with gone as (delete from ticket returning *) select * from gone',
    'drop table ticket',
    'select * from ticket for update',
  ];
  for (const way of ways) {
    const error = await shop()
      .site.app.emit('write', { way })
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    assert.is((error as { code?: string } | undefined)?.code, 'QUERY_WRITES', way);
  }
  assert.equal(toPlain(await emit('report')), [{ talk_id: 1, sold: 3 }]);
});

query.run();
