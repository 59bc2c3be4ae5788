// Also on PostgreSQL: it watches the structure of tables.
import { CompiledQuery, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sessionTable } from '../../src/http/session/session.ts';
import { ask } from '../client.ts';
import { createFakeClock } from '../clock.ts';
import { createHarness, type Harness } from './_harness.ts';

const test = suite('http/structure-guard');
const { name } = sessionTable;
const column = sessionTable.columns[0]?.name ?? '';

/** A site with a call that reads a table of the plan, and one with a faulty statement. */
async function withSite(run: (harness: Harness, look: (path: string) => Promise<unknown>) => Promise<void>) {
  const own: { harness?: Harness } = {};
  const read = (text: string) => async (): Promise<void> => {
    await own.harness?.database.run(CompiledQuery.raw(text));
  };
  const clock = createFakeClock();
  const harness = await createHarness({
    clock,
    routes: {
      'GET /read': { kind: 'api', listener: read(`select ${column} from "${name}"`) },
      'GET /mistake': { kind: 'api', listener: read(`select nothing_like_it from "${name}"`) },
    },
  });
  own.harness = harness;
  try {
    await run(harness, async (path) => {
      // The result is kept for a second.
      clock.advance(1000);
      const { status, headers } = await ask(`${harness.url}${path}`);
      return [status, headers['retry-after']];
    });
  } finally {
    await harness.remove();
  }
}

const told = ({ lines }: Harness): number => lines.filter(({ event }) => event === 'database-structure').length;
const change = ({ database }: Harness, text: string): Promise<unknown> => sql.raw(text).execute(database.kysely);

test('a statement of the plan on a column that was renamed under it: 503, and the remedy is logged once', () =>
  withSite(async (harness, look) => {
    assert.equal(await look('/mistake'), [500, undefined], 'a mistake of its own is no change of the tables');
    await change(harness, `alter table "${name}" rename column "${column}" to other`);
    for (let time = 0; time < 3; time += 1) assert.equal(await look('/read'), [503, '5']);
    assert.is(told(harness), 1);
    const [line] = harness.lines.filter(({ event }) => event === 'database-structure');
    assert.match(String(line?.fields.hint), 'restart');
    await change(harness, `alter table "${name}" rename column other to "${column}"`);
    assert.equal(await look('/mistake'), [500, undefined]);
    await change(harness, `alter table "${name}" rename to other`);
    assert.equal(await look('/read'), [503, '5']);
    assert.is(told(harness), 2, 'and again where it fitted meanwhile');
    await change(harness, `alter table other rename to "${name}"`);
  }));

test.run();
