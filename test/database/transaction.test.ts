import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { currentScope } from '../../src/core/scope.ts';
import { outsideTransaction } from '../../src/database/transaction.ts';
import { createFakeClock } from '../clock.ts';
import { unlessAlone } from './_where.ts';
import { codeOf, insertNote, readNotes, withDatabase } from './temporary-database.ts';

const test = suite('database/transaction');
/** Tests that need two connections at the same time. */
const several = unlessAlone('database/transaction', test);

test('commits what is run inside and rolls back what throws', () =>
  withDatabase(async ({ database }) => {
    assert.is(await database.transaction(async () => insertNote(database, 'kept')), 1);
    const lost = database.transaction(async () => {
      await insertNote(database, 'lost');
      throw new Error('no');
    });
    assert.is(await codeOf(lost), 'Error: no');
    assert.equal(await readNotes(database), ['kept']);
  }));

several('a query inside joins by itself, and nothing is seen outside before the commit', () =>
  withDatabase(async ({ database }) => {
    await database.transaction(async () => {
      await insertNote(database, 'one');
      assert.ok(database.isInTransaction);
      assert.equal(await readNotes(database), ['one']);
      const outside = outsideTransaction(() => readNotes(database));
      assert.equal(await outside, []);
    });
    assert.not(database.isInTransaction);
    assert.equal(await readNotes(database), ['one']);
  }),
);

test('nested ones are savepoints', () =>
  withDatabase(async ({ database, trace }) => {
    await database.transaction(async () => {
      await insertNote(database, 'outer');
      const inner = database.transaction(async () => {
        await insertNote(database, 'inner');
        await database.write(async () => insertNote(database, 'innermost'));
        throw new Error('inner failed');
      });
      assert.is(await codeOf(inner), 'Error: inner failed');
      await database.write(async () => insertNote(database, 'second'));
    });
    assert.equal(await readNotes(database), ['outer', 'second']);
    assert.is(trace.filter((text) => text === 'commit').length, 1);
  }));

test('nested ones in parallel do not interleave', () =>
  withDatabase(async ({ database }) => {
    await database.transaction(async () => {
      const each = [0, 1, 2, 3].map((number) =>
        database.transaction(async () => {
          await insertNote(database, `a${number}`);
          await insertNote(database, `b${number}`);
          if (number % 2 === 1) throw new Error('odd');
        }),
      );
      const plain = insertNote(database, 'plain');
      const results = await Promise.allSettled([...each, plain]);
      assert.equal(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
    });
    assert.equal((await readNotes(database)).sort(), ['a0', 'a2', 'b0', 'b2', 'plain']);
  }));

test('one that throws while a nested one is still open leaves nothing behind', () =>
  withDatabase(async ({ database }) => {
    const late: Promise<unknown>[] = [];
    const outer = database.transaction(async () => {
      late.push(
        database
          .transaction(async () => {
            await insertNote(database, 'one');
            await insertNote(database, 'two');
          })
          .catch((error) => error.code),
      );
      throw new Error('outer failed');
    });
    assert.is(await codeOf(outer), 'Error: outer failed');
    assert.equal(await Promise.all(late), ['DATABASE_TRANSACTION_ENDED']);
    await insertNote(database, 'after');
    assert.equal(await readNotes(database), ['after']);
  }));

test('a nested one that is not awaited is waited for', () =>
  withDatabase(async ({ database }) => {
    await database.transaction(async () => {
      void database.transaction(async () => {
        await insertNote(database, 'one');
        await insertNote(database, 'two');
      });
    });
    assert.equal(await readNotes(database), ['one', 'two']);
  }));

test('ends after its time, and a late query is refused', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database }) => {
      let go: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      let late: Promise<string | undefined> = Promise.resolve(undefined);
      let started: () => void = () => {};
      const isStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const long = database.transaction(async () => {
        await insertNote(database, 'lost');
        started();
        await gate;
        late = codeOf(insertNote(database, 'late'));
        await late;
      });
      await isStarted;
      clock.advance(5000);
      assert.is(await codeOf(long), 'DATABASE_TRANSACTION_LONG');
      go();
      await insertNote(database, 'after');
      await gate;
      await new Promise((resolve) => setImmediate(resolve));
      assert.is(await late, 'DATABASE_TRANSACTION_LONG');
      assert.equal(await readNotes(database), ['after']);
    },
    { clock },
  );
});

test('a query after the end is refused rather than run by itself', () =>
  withDatabase(async ({ database }) => {
    let after: () => Promise<unknown> = async () => {};
    await database.transaction(async () => {
      const scope = currentScope.getStore() ?? {};
      after = () => currentScope.run(scope, () => insertNote(database, 'late'));
    });
    assert.is(await codeOf(after()), 'DATABASE_TRANSACTION_ENDED');
    assert.equal(await readNotes(database), []);
  }));

test('tasks run after the outermost commit, outside it, before the caller has its answer', () =>
  withDatabase(async ({ database }) => {
    const heard: string[] = [];
    await database.transaction(async () => {
      await database.afterCommit(async () => {
        heard.push(`outer ${database.isInTransaction} ${(await readNotes(database)).length}`);
        await insertNote(database, 'from the task');
      });
      await database.write(async () => {
        await insertNote(database, 'one');
        await database.afterCommit(async () => void heard.push('inner'));
      });
      const failing = database.write(async () => {
        await database.afterCommit(async () => void heard.push('never'));
        throw new Error('no');
      });
      await codeOf(failing);
      assert.equal(heard, []);
    });
    assert.equal(heard, ['outer false 1', 'inner']);
    await codeOf(
      database.transaction(async () => {
        await database.afterCommit(async () => void heard.push('never'));
        throw new Error('no');
      }),
    );
    await database.afterCommit(async () => void heard.push('at once'));
    await database.afterCommit(async () => {
      throw new Error('is logged');
    });
    assert.equal(heard.slice(2), ['at once']);
  }));

/** Which transactions fail, and whose tasks then run, in their order. */
const UNDONE: readonly [failing: readonly string[], ran: readonly string[]][] = [
  [[], []],
  [['inner'], ['innermost', 'inner']],
  [['innermost'], ['innermost']],
  [
    ['inner', 'outer'],
    ['innermost', 'inner', 'outer'],
  ],
  [['outer'], ['outer', 'innermost', 'inner']],
];

for (const [failing, ran] of UNDONE)
  test(`tasks for a rollback run once, where ${failing.join(' and ') || 'nothing'} fails`, () =>
    withDatabase(async ({ database }) => {
      const heard: string[] = [];
      const level = (name: string, fn: () => Promise<unknown>, isFirst = true) =>
        database.transaction(async () => {
          const tie = (): void => database.afterRollback?.(async () => void heard.push(name));
          if (isFirst) tie();
          await fn();
          if (!isFirst) tie();
          await insertNote(database, name);
          if (failing.includes(name)) throw new Error(`${name} failed`);
        });
      const outer = level('outer', async () => {
        const inner = level('inner', () => codeOf(level('innermost', async () => {})), false);
        assert.is(await codeOf(inner), failing.includes('inner') ? 'Error: inner failed' : undefined);
        // Nobody waits for the end of the outer one to undo what is not there any more.
        const isUndone = failing.includes('inner') || failing.includes('innermost');
        assert.equal(heard, isUndone ? ran.filter((name) => name !== 'outer') : []);
      });
      await codeOf(outer);
      assert.equal(heard, ran);
      database.afterRollback?.(async () => void heard.push('outside'));
      await codeOf(database.transaction(async () => Promise.reject(new Error('another'))));
      assert.equal(heard, ran, 'a task runs for its own transaction only');
    }));

test('a task for a rollback that fails hinders no other one, and the error is the first one', () =>
  withDatabase(async ({ database }) => {
    const heard: string[] = [];
    const failing = database.transaction(async () => {
      database.afterRollback?.(async () => Promise.reject(new Error('task')));
      database.afterRollback?.(async () => void heard.push('second'));
      throw new Error('first');
    });
    assert.is(await codeOf(failing), 'Error: first');
    assert.equal(heard, ['second']);
  }));

test('the exchange of the scope is kept inside', () =>
  withDatabase(async ({ database }) => {
    const request = {} as never;
    await currentScope.run({ request }, () =>
      database.transaction(async () => assert.is(currentScope.getStore()?.request, request)),
    );
  }));

several('transactions of two databases in one another', () =>
  withDatabase(async ({ database: first }) =>
    withDatabase(async ({ database: second }) => {
      const both = first.transaction(async () => {
        await second.transaction(async () => {
          await insertNote(first, 'first');
          await insertNote(second, 'second');
          await first.write(async () => insertNote(second, 'second again'));
        });
        throw new Error('only the first is undone');
      });
      await codeOf(both);
      assert.equal(await readNotes(first), []);
      assert.equal(await readNotes(second), ['second', 'second again']);
    }),
  ),
);

test("Kysely's own transactions are refused", () =>
  withDatabase(async ({ database }) => {
    const begun = database.kysely.transaction().execute(async () => {});
    assert.is(await codeOf(begun), 'DATABASE_TRANSACTION_UNSUPPORTED');
  }));

test('statements that would end the transaction are refused', () =>
  withDatabase(async ({ database }) => {
    const { sql } = await import('kysely');
    const own = {
      sqlite: ["insert or rollback into note (note_text) values ('x')"],
      postgres: ['/* ; */ commit', 'prepare transaction', 'set search_path = public', 'deallocate all'],
    };
    for (const text of ['commit', ' ROLLBACK', 'begin', ...own[database.dialect]]) {
      assert.is(
        await codeOf(database.write(() => sql.raw(text).execute(database.kysely))),
        'DATABASE_STATEMENT_REFUSED',
      );
    }
  }));

test.run();
