import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readVerified } from '../../src/app/migrate.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createFolder } from '../project/_folder.ts';

const test = suite('app/migrate');

test('a structure is known until the tables of the plan or anything of the schema differs', async () => {
  const { root, remove } = createFolder();
  const database = await openDatabase({ url: 'sqlite:app.db', root, log: silentLog, clock: systemClock });
  const run = (text: string) => database.run(CompiledQuery.raw(text));
  const isKnown = async (tables: string): Promise<boolean | undefined> =>
    (await readVerified(database, tables, root))?.isKnown();
  const keep = async (): Promise<void> => (await readVerified(database, 'tables', root))?.keep();
  try {
    await run('create table note (note_id integer primary key)');
    assert.is(await isKnown('tables'), false);
    await keep();
    assert.equal([await isKnown('tables'), await isKnown('others')], [true, false]);
    assert.is((await readVerified(database, 'tables', root))?.version, await database.structureVersion());
    await run('create trigger watched after insert on note begin select 1; end');
    assert.is(await isKnown('tables'), false, 'a trigger that counts writes may be missing');
    await keep();
    const before = await readVerified(database, 'tables', root);
    await run('drop trigger watched');
    assert.is(await isKnown('tables'), false);
    await before?.keep();
    await run('create index later on note (note_id)');
    await before?.keep();
    assert.is(await isKnown('tables'), false, 'nobody verified what is there by now');
  } finally {
    await database.close();
    remove();
  }
});

test.run();
