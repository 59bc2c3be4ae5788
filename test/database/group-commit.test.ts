import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../src/database/database.ts';
import { MANY_KEY, type ManyRows, type RowStatement } from '../../src/database/row-statement.ts';
import { createFakeClock } from '../clock.ts';
import { only } from './_where.ts';
import { codeOf, insertNote, readNotes, withDatabase } from './temporary-database.ts';

const test = suite('database/group-commit');
const sqlite = only('sqlite', 'database/group-commit', test);
const count = (trace: readonly string[], text: string): number => trace.filter((line) => line === text).length;
const times = (number: number): number[] => Array.from({ length: number }, (_, index) => index);

sqlite('64 units that come together share one commit', () =>
  withDatabase(
    async ({ database, trace }) => {
      const ids = await Promise.all(times(64).map((n) => database.write(() => insertNote(database, `n${n}`))));
      assert.is(new Set(ids).size, 64);
      assert.is(count(trace, 'begin immediate'), 1);
      assert.is(count(trace, 'commit'), 1);
      trace.length = 0;
      await Promise.all(times(65).map((n) => insertNote(database, `m${n}`)));
      assert.is(count(trace, 'commit'), 2);
      assert.is(trace.filter((text) => text.includes('savepoint')).length, 0, 'single statements need no savepoint');
    },
    { clock: createFakeClock() },
  ),
);

sqlite('a failed write undoes only itself, at any place in the group', () =>
  withDatabase(
    async ({ database, trace }) => {
      const fails = new Set([0, 1, 7, 8, 20]);
      const units = times(21).map((n) =>
        codeOf(
          database.write(async () => {
            await insertNote(database, `a${n}`);
            await insertNote(database, `b${n}`);
            if (fails.has(n)) throw new Error('no');
          }),
        ),
      );
      const codes = await Promise.all(units);
      assert.is(codes.filter((code) => code === 'Error: no').length, fails.size);
      const expected = times(21)
        .filter((n) => !fails.has(n))
        .flatMap((n) => [`a${n}`, `b${n}`]);
      assert.equal(await readNotes(database), expected);
      assert.is(count(trace, 'commit'), 1);
    },
    { clock: createFakeClock() },
  ),
);

sqlite('single statements among units keep or fail by themselves', () =>
  withDatabase(async ({ database }) => {
    await insertNote(database, 'taken');
    const codes = await Promise.all([
      codeOf(insertNote(database, 'taken')),
      codeOf(database.write(() => insertNote(database, 'one'))),
      codeOf(insertNote(database, 'taken')),
      codeOf(
        database.write(async () => {
          await insertNote(database, 'two');
          await insertNote(database, 'taken');
        }),
      ),
      codeOf(insertNote(database, 'three')),
      codeOf(database.transaction(() => insertNote(database, 'four'))),
    ]);
    const taken = 'DATABASE_CONSTRAINT';
    assert.equal(codes, [taken, undefined, taken, taken, undefined, undefined]);
    assert.equal((await readNotes(database)).sort(), ['four', 'one', 'taken', 'three']);
  }),
);

const WORDS = 'insert into tag (tag_id, note_id) select value->>0, value->>1 from json_each(?)';
const writeNote = (database: Database, text: string, tag?: (id: number) => unknown): Promise<unknown> =>
  (database.writeRow as NonNullable<Database['writeRow']>).call(database, {
    query: CompiledQuery.raw('insert into note (note_text) values (?) returning note_id'),
    parameters: [text],
    collect: ([row]) => (tag ? [{ text: WORDS, item: tag(Number(row?.note_id)) }] : []),
  });

sqlite('what single rows collect is written once for all, before the commit or before other work', () =>
  withDatabase(async ({ database, trace }) => {
    const tag = (id: number) => [id + 100, id];
    await Promise.all(times(10).map((n) => writeNote(database, `n${n}`, tag)));
    assert.is(count(trace, WORDS), 1);
    assert.is(trace.filter((text) => text.includes('savepoint')).length, 0);
    const seen = await Promise.all([
      writeNote(database, 'm1', tag),
      writeNote(database, 'm2', tag),
      database.write(() => database.kysely.selectFrom('tag').selectAll().execute()),
      codeOf(writeNote(database, 'm1', tag)),
      writeNote(database, 'm3', tag),
    ]);
    assert.is((seen[2] as unknown[]).length, 12, 'a unit sees what was collected before it');
    assert.is(seen[3], 'DATABASE_CONSTRAINT');
    assert.is((await database.kysely.selectFrom('tag').selectAll().execute()).length, 13);
  }),
);

/** Changes a note's text where it is still `from`. */
const toChange = (many: ManyRows | undefined, id: number, text: string, from: string): RowStatement => ({
  query: CompiledQuery.raw('update note set note_text = ? where note_id = ? and note_text = ? returning note_text'),
  parameters: [text, id, from],
  collect: () => [],
  many,
  key: id,
});
const CHANGES: ManyRows = {
  most: 100,
  toText: (rows) =>
    `with many as materialized (select * from (values ${times(rows)
      .map(() => '(?, ?, ?)')
      .join()}) limit +?) update note set note_text = column1 from many where note_id = column2 and note_text = column3
      returning note_id as ${MANY_KEY}, note_text`,
};
const ADDED: ManyRows = {
  most: 100,
  toText: (rows) =>
    `with many as materialized (select * from (values ${times(rows)
      .map(() => '(?)')
      .join()}) limit +?) insert into note (note_text) select * from many returning note_id as ${MANY_KEY}, note_text`,
};

sqlite('one statement writes the rows of several writes, each its own, and one that fails undoes only its own', () =>
  withDatabase(async ({ database, trace }) => {
    const write = (one: RowStatement) => (database.writeRow as NonNullable<Database['writeRow']>).call(database, one);
    const add = (text: string | null) =>
      write({
        query: CompiledQuery.raw('insert into note (note_text) values (?) returning note_id, note_text'),
        parameters: [text],
        collect: () => [],
        many: ADDED,
      });
    const added = await Promise.all(times(21).map((n) => add(`n${n}`)));
    assert.equal(
      added.map(([row]) => row?.note_text),
      times(21).map((n) => `n${n}`),
    );
    assert.is(trace.filter((text) => text.includes('values (?),(?)')).length, 2, '16 and 5 rows');
    assert.is(count(trace, 'commit'), 1);
    const ids = added.map(([row]) => Number(row?.[MANY_KEY]));
    const change = (at: number, text: string, from: string) =>
      write(toChange(CHANGES, ids[at] as number, text, from)).then(([row]) => row?.note_text);
    trace.length = 0;
    const changed = await Promise.all([
      change(2, 'c2', 'n2'),
      change(1, 'c1', 'n1'),
      change(2, 'd2', 'c2'),
      change(3, 'c3', 'other'),
      change(2, 'e2', 'd2'),
    ]);
    assert.equal(changed, ['c2', 'c1', 'd2', undefined, 'e2'], 'changes of a row keep their order');
    assert.is(count(trace, 'commit'), 1);
    const refused = await Promise.all([
      add('m1').then(() => 1),
      codeOf(add('e2')),
      codeOf(add('m1')),
      codeOf(add('m2')),
    ]);
    assert.equal(refused, [1, 'DATABASE_CONSTRAINT', 'DATABASE_CONSTRAINT', undefined]);
    assert.equal((await readNotes(database)).slice(0, 4).sort(), ['c1', 'e2', 'n0', 'n3']);
    assert.is((await readNotes(database)).length, 23);
  }),
);

sqlite('a collected statement that fails takes back all that shared the commit', () =>
  withDatabase(async ({ database }) => {
    const codes = await Promise.all([
      codeOf(writeNote(database, 'a', (id) => [1, id])),
      codeOf(writeNote(database, 'b', () => [2, 999])),
    ]);
    assert.equal(codes, ['DATABASE_CONSTRAINT', 'DATABASE_CONSTRAINT']);
    const thrown = await Promise.all([
      codeOf(writeNote(database, 'c')),
      codeOf(
        writeNote(database, 'd', () => {
          throw new Error('no words');
        }),
      ),
    ]);
    assert.equal(thrown, ['Error: no words', 'Error: no words']);
    assert.equal(await readNotes(database), []);
    await insertNote(database, 'e');
    assert.equal(await readNotes(database), ['e']);
  }),
);

sqlite('a unit that does not end is rolled back after 5 s, and those that waited go on', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database }) => {
      let started: () => void = () => {};
      const isStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const first = codeOf(database.write(() => insertNote(database, 'first')));
      const stuck = codeOf(
        database.write(async () => {
          await insertNote(database, 'stuck');
          started();
          await new Promise(() => {});
        }),
      );
      await isStarted;
      clock.advance(1000);
      const waiting = codeOf(database.write(() => insertNote(database, 'waiting')));
      clock.advance(4000);
      assert.is(await stuck, 'DATABASE_TRANSACTION_LONG');
      assert.equal([await first, await waiting], [undefined, undefined]);
      assert.equal(await readNotes(database), ['first', 'waiting']);
    },
    { clock },
  );
});

sqlite('one that waits longer than 5 s for its turn is refused as busy', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database }) => {
      let go: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      const holder = database.restructure(async () => gate);
      const waiting = codeOf(database.write(() => insertNote(database, 'waiting')));
      await readNotes(database);
      clock.advance(5000);
      assert.is(await waiting, 'DATABASE_BUSY');
      go();
      await holder;
      await insertNote(database, 'after');
      assert.equal(await readNotes(database), ['after']);
    },
    { clock },
  );
});

sqlite('closing waits for what is under way, then refuses', async () => {
  await withDatabase(async ({ database }) => {
    const heard: string[] = [];
    const writing = database.write(async () => {
      await insertNote(database, 'one');
      await database.afterCommit(async () => {
        await insertNote(database, 'two');
        heard.push('task');
      });
    });
    await Promise.all([writing, database.close()]);
    assert.equal(heard, ['task']);
    assert.is(await codeOf(insertNote(database, 'three')), 'DATABASE_CLOSED');
    assert.is(await codeOf(readNotes(database)), 'DATABASE_CLOSED');
  });
});

/** Holds the writer, so that later writes queue; returns a function that releases it. */
async function holdWriter(database: Database): Promise<{ letGo: () => Promise<void> }> {
  let go: () => void = () => {};
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const held = database.transaction(async () => {
    begin();
    await new Promise<void>((resolve) => {
      go = resolve;
    });
  });
  await begun;
  return {
    async letGo() {
      go();
      await held;
    },
  };
}

sqlite('a patient unit lets those that come later go first, into a commit of their own', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database, trace }) => {
      const { letGo } = await holdWriter(database);
      const order: string[] = [];
      const write = (name: string, options = {}) =>
        database.write(() => insertNote(database, name), options).then(() => order.push(name));
      const all = [write('patient', { isPatient: true }), write('one'), write('two')];
      trace.length = 0;
      await letGo();
      await Promise.all(all);
      assert.equal(order, ['one', 'two', 'patient']);
      assert.equal(await readNotes(database), ['one', 'two', 'patient']);
      assert.is(count(trace, 'begin immediate'), 2);
    },
    { clock },
  );
});

sqlite('a patient unit waits 25 ms at most behind others, and not at all where none wait', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database }) => {
      await database.write(() => insertNote(database, 'alone'), { isPatient: true });
      const { letGo } = await holdWriter(database);
      const patient = database.write(() => insertNote(database, 'patient'), { isPatient: true });
      const before = database.write(() => insertNote(database, 'before'));
      clock.advance(25);
      const late = database.write(() => insertNote(database, 'late'));
      await letGo();
      await Promise.all([patient, before, late]);
      assert.equal(await readNotes(database), ['alone', 'patient', 'before', 'late']);
    },
    { clock },
  );
});

sqlite('a patient unit that waits longer than 5 s is refused as busy, like any', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database }) => {
      let go: () => void = () => {};
      const holder = database.restructure(
        () =>
          new Promise<void>((resolve) => {
            go = resolve;
          }),
      );
      const patient = codeOf(database.write(() => insertNote(database, 'patient'), { isPatient: true }));
      await readNotes(database);
      clock.advance(5000);
      assert.is(await patient, 'DATABASE_BUSY');
      go();
      await holder;
      assert.equal(await readNotes(database), []);
    },
    { clock },
  );
});

test.run();
