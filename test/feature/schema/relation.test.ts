import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Bench, onBench } from './_bench.ts';

const test = suite('relations');

const text = (name: string) => ({ name, type: 'text', required: true, sortable: true });
const ACTIVE = { name: 'active', type: 'active' };
const schema = (name: string, fields: readonly unknown[], relations: readonly unknown[] = []) => ({
  name,
  singular: name[0]?.toUpperCase() + name.slice(1),
  plural: `${name[0]?.toUpperCase()}${name.slice(1)}s`,
  fields,
  relations,
});

/** Every kind, two of one kind to one schema, a self-relation, and each removal rule. */
const SCHEMAS = [
  schema('person', [text('name'), { name: 'mail', type: 'email', unique: true }, ACTIVE]),
  schema(
    'post',
    [text('title'), ACTIVE],
    [
      { schema: 'person', kind: '1:1' },
      { schema: 'person', kind: '1:1', name: 'editor' },
      { schema: 'person', kind: '1:0', name: 'reviewer' },
      { schema: 'note', kind: '1:N' },
      { schema: 'note', kind: '1:N', name: 'draft' },
      { schema: 'label', kind: 'N:N' },
      { schema: 'person', kind: 'N:N', name: 'fan' },
    ],
  ),
  schema('note', [text('text'), ACTIVE], [{ schema: 'person', kind: '1:1' }]),
  schema('label', [text('name')]),
  schema(
    'node',
    [text('name'), ACTIVE],
    [
      { schema: 'node', kind: '1:N', name: 'child' },
      { schema: 'node', kind: '1:0', name: 'twin' },
      { schema: 'node', kind: 'N:N', name: 'friend' },
    ],
  ),
  schema('shelf', [text('name')], [{ schema: 'jar', kind: '1:N', onRemove: 'restrict' }]),
  schema('jar', [text('name'), ACTIVE]),
  schema('box', [text('name')], [{ schema: 'shelf', kind: '1:1' }]),
  schema('pin', [text('name')], [{ schema: 'shelf', kind: '1:0' }]),
  schema('tag', [text('name')], [{ schema: 'shelf', kind: '1:1', onRemove: 'cascade' }]),
  schema('room', [text('name'), ACTIVE]),
  schema('desk', [text('name'), ACTIVE], [{ schema: 'room', kind: '1:1', onRemove: 'restrict' }]),
  schema('lamp', [text('name')], [{ schema: 'room', kind: '1:1' }]),
];

type Row = Record<string, unknown>;
const on = (fn: (bench: Bench) => Promise<void>) => () => onBench(fn, SCHEMAS);

const make = async ({ emit }: Bench, name: string, values: Row): Promise<number> => {
  const made = await emit('system-model-create', { schema: name, ...values });
  assert.is(made.isError(), false, JSON.stringify([name, made.getMessage(), made.getValidation()]));
  return Number(made.getResults(`${name}_id`));
};
const read = async ({ emit }: Bench, name: string, id: number): Promise<Row> => {
  const found = await emit('system-model-detail', { schema: name, [`${name}_id`]: id });
  return found.getResults() as Row;
};
const names = (list: unknown, key: string): unknown[] => (list as Row[]).map((row) => row[key]);

/** Ann and Bob, a post by Ann that Bob edits, two notes and two labels. */
async function fill(bench: Bench): Promise<void> {
  for (const person_name of ['Ann', 'Bob', 'Cid']) {
    await make(bench, 'person', { person_name, person_mail: `${person_name}@example.org` });
  }
  await make(bench, 'post', { post_title: 'One', person_id: 1, editor_id: 2 });
  await make(bench, 'post', { post_title: 'Two', person_id: 2, editor_id: 2, reviewer_id: 3 });
  for (const note_text of ['first', 'second']) await make(bench, 'note', { note_text, person_id: 2 });
  for (const label_name of ['red', 'blue']) await make(bench, 'label', { label_name });
}

test(
  'two 1:1 to one schema both show, the second under its own name',
  on(async (bench) => {
    await fill(bench);
    const row = await read(bench, 'post', 1);
    assert.equal(
      [row.person_id, row.person_name, row.editor_id, row.editor_name, row.editor_mail, row.reviewer],
      [1, 'Ann', 2, 'Bob', 'Bob@example.org', null],
    );
    const found = await bench.emit('system-model-search', { schema: 'post', filter: { editor_id: 2 } });
    assert.equal(names(found.getResults('rows'), 'editor_name'), ['Bob', 'Bob']);
    assert.is(((await read(bench, 'post', 2)).reviewer as Row).person_name, 'Cid');
    const lacking = await bench.emit('system-model-create', { schema: 'post', post_title: 'X', person_id: 1 });
    assert.equal(lacking.getValidation(), { editor_id: 'Editor should be valid' });
    const wrong = await bench.emit('system-model-update', { schema: 'post', post_id: 1, editor_id: 99 });
    assert.equal(wrong.getValidation(), { editor_id: 'Editor 99 does not exist' });
    const changed = await bench.emit('system-model-update', { schema: 'post', post_id: 1, editor_id: 3 });
    assert.equal([changed.getResults('editor_name'), changed.getResults('person_name')], ['Cid', 'Ann']);
  }),
);

const post = { schema1: 'post', post_id: 1 };
const LINKS: readonly (readonly [
  kind: string,
  stage: Row,
  show: string,
  key: string,
  value: unknown,
  bare: unknown,
])[] = [
  ['1:N', { ...post, schema2: 'note', note_id: 1 }, 'note', 'note_text', ['first'], []],
  ['named 1:N', { ...post, schema2: 'note', note_id: 1, relation: 'draft' }, 'draft', 'note_text', ['first'], []],
  ['N:N', { ...post, schema2: 'label', label_id: 2 }, 'label', 'label_name', ['blue'], []],
  ['named N:N', { ...post, schema2: 'person', person_id: 3, relation: 'fan' }, 'fan', 'person_name', ['Cid'], []],
  [
    'named 1:0',
    { ...post, schema2: 'person', person_id: 3, relation: 'reviewer' },
    'reviewer',
    'person_name',
    'Cid',
    null,
  ],
];

for (const [kind, stage, show, key, value, bare] of LINKS) {
  for (const isTurned of [false, true]) {
    test(
      `${kind}: linked, linked again, parted, parted again${isTurned ? '; named from the other end' : ''}`,
      on(async (bench) => {
        await fill(bench);
        const turned = isTurned ? { ...stage, schema1: stage.schema2, schema2: stage.schema1 } : stage;
        const look = async (): Promise<unknown> => {
          const found = (await read(bench, 'post', 1))[show];
          return Array.isArray(found) ? names(found, key) : ((found as Row | null)?.[key] ?? null);
        };
        const before = bench.committed.length;
        for (let time = 0; time < 2; time += 1) {
          const linked = await bench.emit('system-relation-link', turned);
          assert.is(linked.isError(), false, linked.getMessage());
          assert.equal(await look(), value);
        }
        for (let time = 0; time < 2; time += 1) {
          assert.is((await bench.emit('system-relation-unlink', turned)).isError(), false);
          assert.equal(await look(), bare);
        }
        assert.is(bench.committed.length - before, 2, 'what changes nothing fires nothing');
        await bench.emit('system-relation-link', turned);
        const { [Object.keys(stage).find((name) => name !== 'post_id' && name.endsWith('_id')) ?? '']: _, ...one } =
          turned;
        assert.is((await bench.emit('system-relation-unlink-all', one)).getResults('removed'), 1);
        assert.equal(await look(), bare);
      }),
    );
  }
}

test(
  'to itself: `_id_1` declares, `_id_2` is led to',
  on(async (bench) => {
    for (const node_name of ['a', 'b', 'c']) await make(bench, 'node', { node_name });
    const pair = { schema1: 'node', schema2: 'node', node_id_1: 1, node_id_2: 2 };
    for (const relation of ['child', 'twin', 'friend']) {
      const linked = await bench.emit('system-relation-link', { ...pair, relation });
      assert.equal(linked.getResults(), { node_id_1: 1, node_id_2: 2 }, linked.getMessage());
    }
    const row = await read(bench, 'node', 1);
    assert.equal(
      [names(row.child, 'node_name'), (row.twin as Row).node_name, names(row.friend, 'node_name')],
      [['b'], 'b', ['b']],
    );
    assert.equal((await read(bench, 'node', 2)).friend, [], 'a friend is so one way, as it was linked');
    const other = await bench.emit('system-relation-link', { ...pair, node_id_1: 3, relation: 'child' });
    assert.is(other.getStatus(), 409);
    assert.match(other.getMessage() ?? '', 'Node already belongs to Node 1');
    await bench.emit('system-relation-link', { ...pair, node_id_2: 3, relation: 'friend' });
    const all = await bench.emit('system-relation-unlink-all', {
      schema1: 'node',
      schema2: 'node',
      relation: 'friend',
      node_id_1: 1,
    });
    assert.is(all.getResults('removed'), 2);
    for (const relation of ['child', 'twin']) await bench.emit('system-relation-unlink', { ...pair, relation });
    const bare = await read(bench, 'node', 1);
    assert.equal([bare.child, bare.twin, bare.friend], [[], null, []]);
  }),
);

test(
  'a relation that is not there by that name',
  on(async (bench) => {
    await fill(bench);
    const stage = { ...post, schema2: 'person', person_id: 3, relation: 'rival' };
    const none = await bench.emit('system-relation-link', stage);
    assert.equal([none.getStatus(), none.getMessage()], [422, 'Post and Person have no relation called "rival"']);
  }),
);

test(
  'lists have each child with its own 1:1, and no removed one; a 1:0 to a removed row is null',
  on(async (bench) => {
    await fill(bench);
    for (const note_id of [1, 2]) await bench.emit('system-relation-link', { ...post, schema2: 'note', note_id });
    assert.equal(names((await read(bench, 'post', 1)).note, 'person_name'), ['Bob', 'Bob']);
    await bench.emit('system-model-remove', { schema: 'note', note_id: 1 });
    assert.equal(names((await read(bench, 'post', 1)).note, 'note_text'), ['second']);
    await bench.emit('system-model-restore', { schema: 'note', note_id: 1 });
    assert.equal(names((await read(bench, 'post', 1)).note, 'note_text'), ['first', 'second'], 'back with its links');
    await bench.emit('system-model-remove', { schema: 'person', person_id: 3 });
    assert.is((await read(bench, 'post', 2)).reviewer, null);
    await bench.emit('system-model-restore', { schema: 'person', person_id: 3 });
    assert.is(((await read(bench, 'post', 2)).reviewer as Row).person_name, 'Cid');
  }),
);

test(
  'a removed row for good: each relation by its rule, and a 409 that names who is in the way',
  on(async (bench) => {
    for (let time = 0; time < 2; time += 1) await make(bench, 'shelf', { shelf_name: 's' });
    await make(bench, 'pin', { pin_name: 'p', shelf_id: 1 });
    await make(bench, 'tag', { tag_name: 't', shelf_id: 1 });
    await make(bench, 'box', { box_name: 'b', shelf_id: 1 });
    await make(bench, 'jar', { jar_name: 'j', shelf_id: 1 });
    await make(bench, 'jar', { jar_name: 'k', shelf_id: 1 });
    const remove = () => bench.emit('system-model-remove', { schema: 'shelf', shelf_id: 1 });
    const held = await remove();
    assert.is(held.getStatus(), 409);
    const rest = 'Remove or unlink those first.';
    assert.is(held.getMessage(), `Shelf 1 cannot be removed: it is referenced by 1 Box and 2 Jars. ${rest}`);
    await bench.emit('system-model-remove', { schema: 'box', box_id: 1 });
    assert.is((await remove()).getMessage(), `Shelf 1 cannot be removed: it is referenced by 2 Jars. ${rest}`);
    await bench.emit('system-relation-unlink-all', { schema1: 'shelf', schema2: 'jar', shelf_id: 1 });
    const gone = await remove();
    assert.is(gone.isError(), false, gone.getMessage());
    assert.is((await read(bench, 'pin', 1)).shelf_id, null, 'cleared');
    assert.is(await read(bench, 'tag', 1), undefined, 'went with it');
    assert.is((await read(bench, 'jar', 1)).jar_name, 'j');
  }),
);

test(
  'a softly removed row keeps its links; only a restriction that is written keeps it from going',
  on(async (bench) => {
    for (let time = 0; time < 2; time += 1) await make(bench, 'room', { room_name: 'r' });
    await make(bench, 'desk', { desk_name: 'd', room_id: 1 });
    await make(bench, 'lamp', { lamp_name: 'l', room_id: 2 });
    const remove = (room_id: number) => bench.emit('system-model-remove', { schema: 'room', room_id });
    const held = await remove(1);
    assert.equal(
      [held.getStatus(), held.getMessage()],
      [409, 'Room 1 cannot be removed: it is referenced by 1 Desk. Remove or unlink those first.'],
    );
    assert.is((await remove(2)).isError(), false, 'a 1:1 that says nothing lets it go');
    assert.is((await read(bench, 'lamp', 1)).room_id, 2);
    await bench.emit('system-model-remove', { schema: 'desk', desk_id: 1 });
    assert.is((await remove(1)).isError(), false, 'nobody who is there leads to it');
    await bench.emit('system-model-restore', { schema: 'room', room_id: 1 });
    await bench.emit('system-model-restore', { schema: 'desk', desk_id: 1 });
    assert.is((await read(bench, 'desk', 1)).room_name, 'r');
  }),
);

test(
  'a new row is linked with what its stage names; one relation at a time where two lead to one schema',
  on(async (bench) => {
    await fill(bench);
    const base = { post_title: 'New', person_id: 1, editor_id: 1 };
    const id = await make(bench, 'post', { ...base, label_id: 2, draft_id: 1, fan_id: 3 });
    const row = await read(bench, 'post', id);
    assert.equal(
      [names(row.label, 'label_name'), names(row.draft, 'note_text'), row.note, names(row.fan, 'person_name')],
      [['blue'], ['first'], [], ['Cid']],
    );
    const taken = await bench.emit('system-model-create', { schema: 'post', ...base, draft_id: 1 });
    assert.is(taken.getStatus(), 409);
    assert.match(String(taken.getValidation('draft_id')), 'Note already belongs to Post');
  }),
);

const settle = async (all: readonly Promise<{ getStatus(): unknown; isError(): boolean }>[]) =>
  (await Promise.all(all)).map((response) => (response.isError() ? response.getStatus() : 200)).sort();

test(
  'one child, two parents at once: exactly one wins, by link and by update',
  on(async (bench) => {
    await fill(bench);
    const link = (post_id: number) =>
      bench.emit('system-relation-link', { schema1: 'post', schema2: 'note', post_id, note_id: 1 });
    assert.equal(await settle([link(1), link(2)]), [200, 409]);
    const update = (post_id: number) => bench.emit('system-model-update', { schema: 'note', note_id: 2, post_id });
    assert.equal(await settle([update(1), update(2)]), [200, 409]);
    const again = (await read(bench, 'note', 2)).post_id as number;
    assert.is((await update(again)).isError(), false, 'the same parent is no other');
  }),
);

test(
  'link and remove at once leave no link that leads nowhere',
  on(async (bench) => {
    await fill(bench);
    for (let time = 0; time < 5; time += 1) {
      const label_id = await make(bench, 'label', { label_name: `l${time}` });
      const [linked, removed] = await Promise.all([
        bench.emit('system-relation-link', { ...post, schema2: 'label', label_id }),
        bench.emit('system-model-remove', { schema: 'label', label_id }),
      ]);
      assert.is(removed.isError(), false, removed.getMessage());
      if (linked.isError()) assert.ok([404, 409].includes(Number(linked.getStatus())), String(linked.getStatus()));
    }
    assert.equal((await read(bench, 'post', 1)).label, []);
  }),
);

test.run();
