// Also on PostgreSQL: a reload changes tables while it serves.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getRootSecret, guardSecret, tellOtherSecret } from '../../src/app/root-secret.ts';
import { findCommandMode, noteServing } from '../../src/app/serving.ts';
import type { TreadleError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { createRootSecret, type RootSecret, toPrint } from '../../src/core/secret/secret.ts';
import type { Database } from '../../src/database/database.ts';
import { busyError, fullError } from '../../src/database/database-error.ts';
import { migrate } from '../../src/database/migration.ts';
import { findServedMode, readServed, type ServedMode, servingTable } from '../../src/database/served-mode.ts';
import { createSystemTable } from '../../src/database/table.ts';
import type { Mode } from '../../src/http/exchange.ts';
import { createFakeRandom } from '../clock.ts';
import { openPlaced } from '../database/_where.ts';

const test = suite('app/serving');

test('a command is a developer’s only where somebody said so, or no server in production came last', async () => {
  const table: [string | undefined, ServedMode | undefined, ServedMode][] = [
    [undefined, undefined, 'development'],
    [undefined, 'development', 'development'],
    [undefined, 'production', 'production'],
    ['production', undefined, 'production'],
    ['production', 'development', 'production'],
    ['development', 'production', 'development'],
    ['staging', 'production', 'production'],
    ['staging', undefined, 'development'],
  ];
  for (const [nodeEnv, served, mode] of table)
    assert.is(await findCommandMode(nodeEnv, async () => served), mode, `${nodeEnv} on what was served in ${served}`);
});

test('the database remembers how it was served last', async () => {
  const database = await openPlaced();
  try {
    assert.is(await findServedMode(database), undefined, 'it has no table yet');
    await migrate(database, [createSystemTable(servingTable, database.dialect)]);
    const steps: [Mode, ServedMode | undefined][] = [
      ['test', undefined],
      ['development', 'development'],
      ['production', 'production'],
      ['production', 'production'],
      ['test', 'production'],
      ['development', 'development'],
    ];
    for (const [mode, expected] of steps) {
      await noteServing(database, { mode, last: await readServed(database), print: 'a print', log: silentLog });
      assert.is((await readServed(database)).mode, expected);
      assert.is(await findServedMode(database), expected);
    }
    await database.kysely.updateTable('treadle_serving').set({ mode: 'odd' }).execute();
    assert.is((await readServed(database)).mode, 'production', 'what dev did not write');
  } finally {
    await database.close();
  }
});

test('a command with another secret than the server can sign nothing; a server may have a new one', async () => {
  const [old, fresh] = ['old', 'new'].map((word) =>
    createRootSecret(`${word} secret, of enough characters to be one`, createFakeRandom()),
  );
  if (!old || !fresh) throw new Error('two');
  const database = await openPlaced();
  try {
    await migrate(database, [createSystemTable(servingTable, database.dialect)]);
    assert.is((await readServed(database)).print, undefined);
    const signs = async (own: RootSecret): Promise<boolean> => {
      try {
        return guardSecret(own, (await readServed(database)).print).derive(['webhook']).length > 0;
      } catch (error) {
        assert.is((error as TreadleError).code, 'SECRET_OTHER');
        return false;
      }
    };
    assert.equal([await signs(old), await signs(fresh)], [true, true], 'nobody served it yet');
    for (const [own, mode, expected] of [
      [old, 'production', [true, false]],
      [fresh, 'test', [true, false]],
      [fresh, 'production', [false, true]],
    ] as const) {
      await noteServing(database, { mode, last: await readServed(database), print: toPrint(own), log: silentLog });
      assert.equal([await signs(old), await signs(fresh)], expected);
    }
    const [row] = await database.kysely.selectFrom('treadle_serving').selectAll().execute();
    assert.not.match(JSON.stringify(row), old.derive(['webhook']).toString('base64url'));
  } finally {
    await database.close();
  }
});

test('a server that starts with another secret than the last one says so once', async () => {
  const [old, fresh] = ['old', 'new'].map((word) =>
    createRootSecret(`${word} secret, of enough characters to be one`, createFakeRandom()),
  );
  if (!old || !fresh) throw new Error('two');
  const told: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void told.push(event) };
  for (const [own, served] of [
    [old, undefined],
    [old, toPrint(old)],
    [fresh, toPrint(old)],
    [fresh, toPrint(fresh)],
  ] as const)
    tellOtherSecret(own, { served, log });
  assert.equal(told, ['TREADLE_SECRET was changed']);
});

test('a start that cannot be noted on a full disk serves reads all the same; other faults end it', async () => {
  const told: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void told.push(event) };
  const note = (error: Error): Promise<void> =>
    noteServing({ write: () => Promise.reject(error) } as unknown as Database, {
      mode: 'production',
      last: { mode: 'development', print: undefined },
      print: 'a print',
      log,
    });
  await note(fullError({ detail: undefined, cause: undefined }));
  assert.equal(told, ['the start could not be recorded in the database']);
  await note(busyError()).then(
    () => assert.unreachable(),
    (error: TreadleError) => assert.is(error.code, 'DATABASE_BUSY'),
  );
});

test('the secret that everybody knows signs nothing that production made', () => {
  const own = 'a secret of the tests, of enough characters';
  const table: [string | undefined, Mode, ServedMode | undefined, string | RegExp][] = [
    [own, 'production', 'production', own],
    [own, 'development', 'production', own],
    [undefined, 'development', undefined, 'development only, not secret, at least 32 characters'],
    [undefined, 'test', 'development', 'development only, not secret, at least 32 characters'],
    [undefined, 'development', 'production', /set the secret of its server/],
    [undefined, 'test', 'production', /set the secret of its server/],
    [undefined, 'production', 'production', /set the secret of its server/],
    [undefined, 'production', undefined, /Put a random one/],
  ];
  for (const [secret, mode, served, expected] of table) {
    const get = (): string => getRootSecret(secret, { mode, served, log: silentLog });
    const name = `${mode} on ${served}`;
    if (typeof expected === 'string') assert.is(get(), expected, name);
    else
      assert.throws(
        get,
        (error: { code: string; hint: string }) => error.code === 'SECRET_MISSING' && expected.test(error.hint),
        name,
      );
  }
});

test.run();
