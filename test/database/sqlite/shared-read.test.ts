import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/core/log/log.ts';
import { LONE, type ReadCost, USUAL } from '../../../src/database/load/read-cost.ts';
import { SlowReads } from '../../../src/database/load/slow-reads.ts';
import type { Binding, RawConnection, RawError, RawStatement } from '../../../src/database/sqlite/binding.ts';
import { Connection } from '../../../src/database/sqlite/connection.ts';
import { Readers, type ReadOperation } from '../../../src/database/sqlite/readers.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('database/sqlite/shared-read');

const binding = { toParameters: (given: readonly unknown[]) => given } as Binding;

/** Connections with statements that run until the test ends them. */
function createCase({ limit = 1, statements = 500 } = {}) {
  const clock = createFakeClock();
  const prepared: string[] = [];
  const finalized: string[] = [];
  const running: { readonly sql: string; end(fault?: RawError): void }[] = [];
  const interrupts = { count: 0 };
  const toStatement = (sql: string): RawStatement => ({
    all: (_, callback) =>
      void running.push({ sql, end: (fault) => callback(fault ?? null, fault === undefined ? [{ sql }] : []) }),
    run: () => assert.unreachable(),
    finalize: () => void finalized.push(sql),
  });
  const raw: RawConnection = {
    prepare: (sql, callback) => {
      prepared.push(sql);
      queueMicrotask(() => callback(null, toStatement(sql)));
    },
    exec: () => assert.unreachable(),
    interrupt: () => {
      interrupts.count += 1;
    },
    close: (callback) => callback(null),
  };
  const readers = new Readers({
    open: async () => new Connection(raw, { binding, clock, statements }),
    limit,
    clock,
    log: silentLog,
    slow: new SlowReads(),
    readMilliseconds: () => 5000,
  });
  const read = (sql: string, about: ReadCost = LONE): Promise<string> =>
    new Promise((resolve, reject) => {
      const operation: ReadOperation = {
        ...{ sql, parameters: [1], mode: 'all', isOwn: false, isShared: about === LONE, deadline: 0, about },
        ...{ caller: undefined, connection: undefined, known: undefined, ended: undefined },
        ...{ cost: 0, rank: 0, begunAt: 0, since: 0 },
        done: (error, rows) => (error === null ? resolve(String(rows[0]?.sql)) : reject(error)),
      };
      readers.execute(operation);
    });
  /** Ends what runs with this text. */
  const end = (sql: string, fault?: RawError): void => {
    const at = running.findIndex((one) => one.sql === sql);
    assert.ok(at >= 0, `${sql} does not run`);
    running.splice(at, 1)[0]?.end(fault);
  };
  const list = (): string[] => running.map(({ sql }) => sql);
  return { clock, readers, read, end, list, prepared, finalized, interrupts };
}

/** Lets everything run that has nothing to wait for. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('reads of one row run together on one connection, and each text is prepared once', async () => {
  const { readers, read, end, list, prepared } = createCase({ limit: 4 });
  const first = read('a');
  await settle();
  const others = ['b', 'a', 'b'].map((sql) => read(sql));
  await settle();
  assert.equal(list().sort(), ['a', 'a', 'b', 'b']);
  assert.equal(prepared, ['a', 'b']);
  assert.is(readers.size, 1);
  for (const sql of list()) end(sql);
  assert.equal(await Promise.all([first, ...others]), ['a', 'b', 'a', 'b']);
  assert.is(readers.busy, 0);
  await readers.close();
});

test('a search gets the connection as soon as those have ended that ran before it', async () => {
  const { readers, read, end, list } = createCase();
  const found = [read('a')];
  await settle();
  found.push(read('a'), read('search', USUAL), read('a'));
  await settle();
  assert.equal(list(), ['a', 'a'], 'the last one does not pass the search');
  end('a');
  end('a');
  await settle();
  assert.equal(list(), ['search']);
  end('search');
  await settle();
  assert.equal(list(), ['a']);
  end('a');
  assert.equal(await Promise.all(found), ['a', 'a', 'search', 'a']);
  await readers.close();
});

test('one that took long runs alone until it was quick again', async () => {
  const { clock, readers, read, end, list } = createCase();
  const pass = async (sql: string, milliseconds: number): Promise<void> => {
    const reading = read(sql);
    await settle();
    clock.advance(milliseconds);
    end(sql);
    await reading;
  };
  await pass('slow', 10);
  const found = ['slow', 'quick', 'slow'].map((sql) => read(sql));
  await settle();
  assert.equal(list(), ['slow']);
  end('slow');
  await settle();
  assert.equal(list().sort(), ['quick', 'slow']);
  for (const sql of list()) end(sql);
  await Promise.all(found);
  await readers.close();
});

test('one that met a lock is tried again alone; another fault ends only its own read', async () => {
  const { readers, read, end, list } = createCase();
  const fault = (code: string): RawError => Object.assign(new Error(code), { code });
  const first = read('a');
  await settle();
  const [locked, broken] = [read('b'), read('c')];
  await settle();
  end('b', fault('SQLITE_BUSY'));
  end('c', fault('SQLITE_ERROR'));
  assert.is(await broken.catch(({ code }) => code), 'DATABASE_QUERY_FAILED');
  await settle();
  assert.equal(list(), ['a']);
  end('a');
  await settle();
  assert.equal(list(), ['b']);
  end('b');
  assert.equal(await Promise.all([first, locked]), ['a', 'b']);
  assert.is(readers.busy, 0);
  await readers.close();
});

test('a dropped statement is finalized when nothing runs', async () => {
  const { readers, read, end, list, finalized } = createCase({ statements: 2 });
  const found = ['a', 'b', 'c'].map((sql) => read(sql));
  await settle();
  assert.equal(finalized, []);
  for (const sql of list()) end(sql);
  await Promise.all(found);
  assert.equal(finalized, ['a']);
  await readers.close();
});

test('at most 16 run together', async () => {
  const { readers, read, end, list } = createCase({ limit: 4 });
  const found = Array.from({ length: 20 }, () => read('a'));
  await settle();
  assert.is(list().length, 16);
  assert.is(readers.waiting, 4);
  while (list().length > 0) {
    end('a');
    await settle();
  }
  await Promise.all(found);
  await readers.close();
});

test.run();
