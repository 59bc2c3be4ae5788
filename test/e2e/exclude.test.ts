// Also on PostgreSQL: a constraint keeps there what triggers keep on SQLite.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { readForm } from '../form-post.ts';

const TAKEN = 'The tool is reserved for then';
const RULE = { columns: ['tool_id'], range: ['from', 'until'], message: TAKEN };
const RESERVATION = {
  name: 'reservation',
  singular: 'Reservation',
  plural: 'Reservations',
  fields: [
    { name: 'from', label: 'Begins', type: 'datetime', filterable: true },
    { name: 'until', label: 'Ends', type: 'datetime' },
    { name: 'note', label: 'Note', type: 'text' },
    { name: 'active', type: 'active' },
  ],
  relations: [{ schema: 'tool', kind: '1:0' }],
  exclude: [RULE],
};
const TOOL = {
  name: 'tool',
  singular: 'Tool',
  plural: 'Tools',
  fields: [{ name: 'name', type: 'text' }],
  relations: [{ schema: 'shift', kind: '1:N' }],
};
/** One timeline of all rows, and no message. */
const CLOSING = {
  name: 'closing',
  singular: 'Closing',
  plural: 'Closings',
  fields: [
    { name: 'first', label: 'First day', type: 'date', required: true },
    { name: 'last', label: 'Last day', type: 'date', required: true },
  ],
  exclude: [{ range: ['first', 'closing_last'] }],
};
const SHIFT = {
  name: 'shift',
  singular: 'Shift',
  plural: 'Shifts',
  fields: [
    { name: 'from', type: 'time' },
    { name: 'until', type: 'time' },
  ],
  relations: [{ schema: 'shift', kind: '1:0', name: 'lead' }],
  exclude: [
    { columns: ['tool_id'], range: ['from', 'until'] },
    { columns: ['lead_id'], range: ['from', 'until'], message: 'The lead has another shift' },
  ],
};

const test = suite('exclude');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;

test.before(async () => {
  world.site = await boot({
    template: 'bare',
    settings: { api: true, languages: ['en', 'de'] },
    files: {
      'config/schema/tool.json': TOOL,
      'config/schema/reservation.json': RESERVATION,
      'config/schema/closing.json': CLOSING,
      'config/schema/shift.json': SHIFT,
    },
    change: async (project) => {
      const actions = ['--access', 'public', '--action', 'search,detail,create,update,remove,batch'];
      for (const schema of ['reservation', 'closing']) await project.cli('rest', 'generate', schema, ...actions);
    },
  });
});
test.after(() => site().close());

type Row = Record<string, unknown>;
const addTool = async (): Promise<number> =>
  Number((await site().emit('system-model-create', { schema: 'tool', tool_name: 'Saw' })).getResults('tool_id'));

const toRow = (tool: number | null, from: string | null, until: string | null): Row => ({
  tool_id: tool,
  reservation_from: from,
  reservation_until: until,
});

interface Said {
  readonly status: number;
  readonly message: unknown;
  readonly validation: Row | undefined;
  readonly id: number;
}

async function send(method: string, path: string, json: unknown): Promise<Said> {
  const answer = await site().send(method, `/rest/public/${path}`, { json });
  const { message, validation, results } = answer.json();
  return { status: answer.status, message, validation, id: Number(results?.reservation_id) };
}
const reserve = (tool: number | null, from: string | null, until: string | null): Promise<Said> =>
  send('POST', 'reservation/create', toRow(tool, from, until));
const change = (id: number, values: Row): Promise<Said> => send('PATCH', `reservation/update/${id}`, values);
const at = (hour: number): string => `2026-05-01 ${String(hour).padStart(2, '0')}:00:00`;

/** Rows of one tool in order: hours, where null is open, and whether the row is taken, or taken for another reason. */
const TIMELINES: readonly (readonly [from: number | null, until: number | null, status: number][])[] = [
  // Touching periods, then each way to overlap the first.
  [
    [10, 12, 201],
    [12, 14, 201],
    [8, 10, 201],
    [9, 11, 409],
    [11, 12, 409],
    [10, 12, 409],
    [10, 11, 409],
    [9, 13, 409],
    [14, 15, 201],
    [8, 15, 409],
  ],
  // Open ends.
  [
    [10, 12, 201],
    [null, 10, 201],
    [null, 3, 409],
    [12, null, 201],
    [20, null, 409],
    [20, 21, 409],
    [3, 4, 409],
    [null, null, 409],
  ],
  [
    [null, null, 201],
    [1, 2, 409],
    [null, null, 409],
  ],
  // Empty periods overlap nothing, inside another one or on its edge.
  [
    [5, 5, 201],
    [5, 5, 201],
    [4, 6, 201],
    [5, 5, 201],
    [4, 4, 201],
    [6, 7, 201],
    [5, 6, 409],
  ],
  // An end before its start.
  [
    [7, 6, 422],
    [6, 7, 201],
  ],
];

test('a period that overlaps is 409 beside its start; touching, empty and open ones are as they should', async () => {
  for (const timeline of TIMELINES) {
    const tool = await addTool();
    for (const [from, until, status] of timeline) {
      const made = await reserve(tool, from === null ? null : at(from), until === null ? null : at(until));
      assert.is(made.status, status, JSON.stringify([timeline, from, until, made]));
      if (status === 409) assert.equal([made.message, made.validation], [TAKEN, { reservation_from: TAKEN }]);
      if (status === 422) assert.equal(made.validation, { reservation_until: 'Ends must not come before Begins' });
    }
  }
});

test('rows of other tools, without a tool, and removed ones are in nobody’s way', async () => {
  const [one, other] = [await addTool(), await addTool()];
  for (const tool of [one, other, null, null]) assert.is((await reserve(tool, at(1), at(5))).status, 201);
  const { id } = await reserve(one, at(5), at(9));
  assert.is((await reserve(one, at(6), at(7))).status, 409);
  assert.is((await send('DELETE', `reservation/remove/${id}`, undefined)).status, 200);
  assert.is((await reserve(one, at(6), at(7))).status, 201);
});

test('an update is judged by what the row is after it, and one of other columns not at all', async () => {
  const [tool, other] = [await addTool(), await addTool()];
  const first = await reserve(tool, at(1), at(3));
  const second = await reserve(tool, at(3), at(5));
  const third = await reserve(other, at(1), at(5));
  const table: readonly (readonly [id: number, values: Row, status: number, beside?: string])[] = [
    [first.id, { reservation_note: 'sharp' }, 200],
    [first.id, { reservation_from: at(2) }, 200],
    [first.id, { reservation_until: at(4) }, 409, 'reservation_from'],
    [first.id, { reservation_from: null }, 200],
    [second.id, { reservation_from: at(2) }, 409, 'reservation_from'],
    [second.id, { reservation_until: null }, 200],
    [second.id, { reservation_until: at(2) }, 422, 'reservation_until'],
    [second.id, { reservation_from: at(6) }, 200],
    [third.id, { tool_id: tool }, 409, 'reservation_from'],
    [third.id, { tool_id: tool, reservation_from: at(3), reservation_until: at(6) }, 200],
    [third.id, { tool_id: other, reservation_from: null, reservation_until: null }, 200],
  ];
  for (const [id, values, status, beside] of table) {
    const said = await change(id, values);
    assert.is(said.status, status, JSON.stringify([values, said]));
    if (beside !== undefined) assert.equal(Object.keys(said.validation ?? {}), [beside]);
  }
});

test('two reservations are exchanged in three steps, and not in two', async () => {
  const [tool, spare] = [await addTool(), await addTool()];
  const one = await reserve(tool, at(1), at(2));
  const two = await reserve(tool, at(2), at(3));
  const update = (id: number, values: Row) => ({ action: 'update', id, values });
  const hours = (from: number, until: number) => ({ reservation_from: at(from), reservation_until: at(until) });
  const [toSecond, toFirst] = [update(one.id, hours(2, 3)), update(two.id, hours(1, 2))];
  const twice = await send('POST', 'reservation/batch', { operations: [toSecond, toFirst] });
  assert.is(twice.status, 409, JSON.stringify(twice));
  const away = update(one.id, { tool_id: spare });
  const back = update(one.id, { ...hours(2, 3), tool_id: tool });
  const thrice = await send('POST', 'reservation/batch', { operations: [away, toFirst, back] });
  assert.is(thrice.status, 200, JSON.stringify(thrice));
});

test('a batch sees its earlier rows, and is all or nothing', async () => {
  const tool = await addTool();
  const create = (from: number, until: number) => ({ action: 'create', values: toRow(tool, at(from), at(until)) });
  const operations = [create(1, 3), create(3, 5), create(2, 4)];
  const said = await send('POST', 'reservation/batch', { operations });
  assert.is(said.status, 409);
  assert.match(
    JSON.stringify(said.validation),
    /"operations":\{"2":.*"reservation_from":"The tool is reserved for then"/,
  );
  assert.is((await send('POST', 'reservation/batch', { operations: operations.slice(0, 2) })).status, 200);
});

const importRows = (rows: readonly Row[]) => site().app.emit('system-model-import', { schema: 'reservation', rows });

test('an import names the line, of new rows and of changed ones', async () => {
  const tool = await addTool();
  const rows = [toRow(tool, at(1), at(3)), toRow(tool, at(3), at(5)), toRow(tool, at(2), at(4))];
  const bad = await importRows(rows);
  assert.equal([bad.getStatus(), bad.getMessage()], [422, `Row 3: ${TAKEN}`]);
  assert.equal(bad.getValidation(), { 2: { reservation_from: TAKEN } });
  assert.is((await importRows(rows.slice(0, 2))).isError(), false);
  const stored = (await site().rows('reservation')).filter((row) => row.tool_id === tool);
  const [one, two] = stored.map(({ reservation_id: id }) => ({ reservation_id: id }));
  const moved = await importRows([
    { ...one, reservation_until: at(2) },
    { ...two, reservation_from: at(1) },
  ]);
  assert.equal([moved.getStatus(), moved.getMessage()], [422, `Row 2: ${TAKEN}`]);
  const reversed = await importRows([{ ...one, reservation_until: at(0) }]);
  assert.equal(reversed.getValidation(), { 0: { reservation_until: 'Ends must not come before Begins' } });
  // Rows are judged one after the other, in their order, whatever the database makes of a statement.
  const shift = (from: number) => [
    { ...one, reservation_from: at(from), reservation_until: at(from + 2) },
    { ...two, reservation_from: at(from + 2), reservation_until: at(from + 4) },
  ];
  assert.is((await importRows(shift(2))).getMessage(), `Row 1: ${TAKEN}`);
  assert.is((await importRows(shift(2).reverse())).isError(), false);
});

test('a removed row is restored only while its period is free, and the row in its way is named', async () => {
  const tool = await addTool();
  const { id } = await reserve(tool, at(1), at(5));
  await send('DELETE', `reservation/remove/${id}`, undefined);
  const other = await reserve(tool, at(4), null);
  const restore = () => site().app.emit('system-model-restore', { schema: 'reservation', reservation_id: id });
  const reason = `${TAKEN} (Reservation ${other.id})`;
  const refused = await restore();
  assert.equal([refused.getStatus(), refused.getMessage()], [409, `Reservation ${id} cannot be restored: ${reason}.`]);
  assert.equal(refused.getValidation(), { reservation_from: reason });
  await change(other.id, { reservation_from: at(5) });
  assert.is((await restore()).isError(), false);
});

test('an undo of the history is judged as any other change', async () => {
  const tool = await addTool();
  const { id } = await reserve(tool, at(1), at(5));
  await change(id, { reservation_until: at(3) });
  const entries = (await site().rows('treadle_history')).filter(({ row_id }) => Number(row_id) === id);
  const history_id = Math.max(...entries.map((entry) => Number(entry.history_id)));
  const other = await reserve(tool, at(4), at(5));
  const undo = () => site().app.emit('history-revert', { history_id });
  const refused = await undo();
  assert.equal([refused.getStatus(), refused.getMessage()], [409, TAKEN]);
  assert.equal(refused.getValidation(), { reservation_from: TAKEN });
  await change(other.id, { tool_id: null });
  assert.is((await undo()).isError(), false);
});

test('a rule without columns has one timeline, and says so without a message of its own', async () => {
  const close = (first: string, last: string) =>
    send('POST', 'closing/create', { closing_first: first, closing_last: last });
  assert.is((await close('2026-12-24', '2027-01-02')).status, 201);
  const text = 'Another Closing has a part of this period';
  const said = await close('2027-01-01', '2027-01-05');
  assert.equal([said.status, said.message, said.validation], [409, text, { closing_first: text }]);
  const early = await close('2026-05-02', '2026-05-01');
  assert.equal(early.validation, { closing_last: 'Last day must not come before First day' });
});

test('a form shows the message beside the field of the start, in the language of the page', async () => {
  const ann = await site().as('Ann', ['admin']);
  const path = '/admin/system/model/closing/create';
  const form = { ...readForm((await ann.get(path)).text), closing_first: '2030-01-01', closing_last: '2030-01-05' };
  assert.is((await ann.post(path, form)).status, 303);
  const again = await ann.post(path, form);
  assert.is(again.status, 409);
  assert.match(again.text, /id="[^"]*closing_first[^"]*error"[^>]*>Another Closing has a part of this period</);
});

test('messages without words of their own are German in a German page', async () => {
  const german = { 'accept-language': 'de' };
  const close = (closing_first: string, closing_last: string) =>
    site().send('POST', '/rest/public/closing/create', { json: { closing_first, closing_last }, headers: german });
  assert.is((await close('2031-01-01', '2031-01-05')).status, 201);
  const text = 'Closing: Ein anderer Eintrag belegt einen Teil dieses Zeitraums';
  assert.equal((await close('2031-01-04', '2031-01-05')).json().validation, { closing_first: text });
  const early = 'Last day darf nicht vor First day liegen';
  assert.equal((await close('2031-01-04', '2031-01-03')).json().validation, { closing_last: early });
});

test('a link is judged, too', async () => {
  const tool = await addTool();
  const add = async (shift_from: string, shift_until: string): Promise<number> =>
    Number(
      (await site().emit('system-model-create', { schema: 'shift', shift_from, shift_until })).getResults('shift_id'),
    );
  const link = (shift_id: number) =>
    site().app.emit('system-relation-link', { schema1: 'tool', schema2: 'shift', tool_id: tool, shift_id });
  assert.is((await link(await add('08:00', '12:00'))).isError(), false);
  assert.is((await link(await add('12:00', '16:00'))).isError(), false);
  const refused = await link(await add('11:59', '13:00'));
  const text = 'Another Shift with the same Tool has a part of this period';
  assert.equal([refused.getStatus(), refused.getMessage()], [409, text]);
  assert.equal(refused.getValidation(), { shift_from: text });
});

test('an import names the line of a row that is late in the way, as its key comes with a later row', async () => {
  const shift = (shift_id: number, lead_id: number | null, hour: number): Row => ({
    ...{ shift_id, lead_id, shift_from: `${hour}:00`, shift_until: `${hour + 2}:00` },
  });
  const load = (rows: readonly Row[]) => site().app.emit('system-model-import', { schema: 'shift', rows });
  const rows = [shift(501, 503, 10), shift(502, 503, 11), shift(503, null, 10)];
  const bad = await load(rows);
  assert.equal([bad.getStatus(), bad.getMessage()], [422, 'Row 2: The lead has another shift']);
  assert.not((await site().rows('shift')).some((row) => Number(row.shift_id) > 500));
  assert.is((await load([shift(501, 503, 10), shift(502, 503, 12), shift(503, null, 10)])).isError(), false);
});

test.run();
