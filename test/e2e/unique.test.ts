// Also on PostgreSQL: a unique index names itself otherwise.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { run } from '../cli/run.ts';
import { type Shop, startShop } from './_shop.ts';

const seat = {
  name: 'seat',
  singular: 'Seat',
  plural: 'Seats',
  fields: [{ name: 'row', type: 'text' }],
  relations: [{ schema: 'talk', kind: '1:1' }],
};
/** A rule without a message. */
const plainRule = { columns: ['talk_id', 'seat_row'] };
const rule = { columns: ['talk_id', 'ticket_seat'], message: 'This seat is taken' };

const unique = suite('unique over several columns');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;

unique.before(async () => {
  world.shop = await startShop({
    code: 'export default function shop() {}',
    ticket: { unique: [rule] },
    files: { 'config/schema/seat.json': { ...seat, unique: [plainRule] } },
  });
});
unique.after(() => shop().site.close());

const buy = (talk_id: number, ticket_seat: string) =>
  shop().send('POST', '/rest/public/ticket/create', { talk_id, ticket_seat });

unique('refuses the second row with 409 and the message, by create, update and import', async () => {
  const [one, two] = await Promise.all(
    ['A', 'B'].map((talk_title) => shop().emit('system-model-create', { schema: 'talk', talk_title })),
  );
  const talk = Number(one?.talk_id);
  const made = await buy(talk, 'A1');
  assert.is(made.status, 201);
  const twice = await buy(talk, 'A1');
  assert.equal([twice.status, twice.body.message], [409, rule.message]);
  assert.equal(twice.body.validation, { talk_id: rule.message, ticket_seat: rule.message });
  assert.is((await buy(Number(two?.talk_id), 'A1')).status, 201);
  const other = await buy(talk, 'A2');
  const moved = await shop().send('PATCH', `/rest/public/ticket/update/${other.body.results?.ticket_id}`, {
    ticket_seat: 'A1',
  });
  assert.equal([moved.status, moved.body.message], [409, rule.message]);
  const rows = [
    { talk_id: talk, ticket_seat: 'A9' },
    { talk_id: talk, ticket_seat: 'A1' },
  ];
  const imported = await shop().site.app.emit('system-model-import', { schema: 'ticket', rows });
  assert.match(String(imported.getMessage()), /Row 2: /);
});

unique('a rule without a message names its columns as visitors know them', async () => {
  const talk_id = Number((await shop().emit('system-model-create', { schema: 'talk', talk_title: 'E' })).talk_id);
  const create = () => shop().site.app.emit('system-model-create', { schema: 'seat', talk_id, seat_row: '1' });
  await create();
  const twice = await create();
  assert.equal([twice.getStatus(), twice.getMessage()], [409, 'Another Seat has the same talk and row']);
});

unique('a removed row does not count, and cannot be restored over another', async () => {
  const talk = Number((await shop().emit('system-model-create', { schema: 'talk', talk_title: 'C' })).talk_id);
  const first = await buy(talk, 'B1');
  const id = first.body.results?.ticket_id;
  assert.is((await shop().send('DELETE', `/rest/public/ticket/remove/${id}`)).status, 200);
  const second = await buy(talk, 'B1');
  assert.is(second.status, 201);
  const restored = await shop().site.app.emit('system-model-restore', { schema: 'ticket', ticket_id: id });
  const holder = `Ticket ${second.body.results?.ticket_id}`;
  const message = `Ticket ${id} cannot be restored: ${rule.message} (${holder}).`;
  assert.equal([restored.getStatus(), restored.getMessage()], [409, message]);
});

unique('one of many at once', async () => {
  const talk = Number((await shop().emit('system-model-create', { schema: 'talk', talk_title: 'D' })).talk_id);
  const answers = await Promise.all(Array.from({ length: 10 }, () => buy(talk, 'C1')));
  assert.equal(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 409)]);
});

unique('names unknown columns, with the nearest one; a column by its field name too', async () => {
  const { project } = shop().site;
  const before = project.read('config/schema/seat.json');
  const check = async (columns: string[]): Promise<string> => {
    project.write('config/schema/seat.json', { ...seat, unique: [{ columns }] });
    const { out, err } = await run(['check'], { cwd: project.root });
    return out + err;
  };
  assert.match(
    await check(['talk_idd', 'seat_row']),
    /seat\.json:\d+:\d+ unique\[0\]\.columns\[0\]: .*Did you mean "talk_id"/,
  );
  assert.match(await check(['talk_id', 'row']), /Did you mean "seat_row"/);
  assert.match(await check(['talk_id', 'talk_id']), /is in the list twice/);
  project.write('config/schema/seat.json', before);
});

unique('is set by a flag, and follows a renamed field; a removed one takes the rule with it', async () => {
  const { project } = shop().site;
  const read = (): { unique?: unknown } => JSON.parse(project.read('config/schema/seat.json'));
  await project.cli('schema', 'update', 'seat', '--add-unique', 'talk_id,seat_row');
  assert.equal(read().unique, [{ columns: ['talk_id', 'seat_row'] }]);
  await project.cli('field', 'rename', 'seat', 'row', 'place');
  assert.equal(read().unique, [{ columns: ['talk_id', 'seat_place'] }]);
  await project.cli('field', 'add', 'seat', 'other');
  await project.cli('field', 'remove', 'seat', 'place', '--cascade', '--yes');
  assert.is(read().unique, undefined);
});

unique('rows that share values are reported before the migration, and none is lost', async () => {
  const { project } = shop().site;
  project.write('config/schema/talk.json', {
    ...JSON.parse(project.read('config/schema/talk.json')),
    unique: [{ columns: ['talk_title', 'talk_capacity'] }],
  });
  for (const _ of [1, 2])
    await shop().emit('system-model-create', { schema: 'talk', talk_title: 'same', talk_capacity: 1 });
  const { out, err } = await run(['migrate', '--dry-run'], { cwd: project.root });
  assert.match(out + err, /talk_title, talk_capacity must be unique, but .*share a value/);
});

unique.run();
