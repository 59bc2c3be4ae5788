// Expressions of computed fields, drawn by chance: SQLite and PostgreSQL must give the values of the reference evaluator, and no text
// that is no expression may run. Usage: node --import tsx test/torture/expressions.mjs [--short] [--seed n]. 100,000 expressions over
// 12 rows each; --short checks 2,000. PostgreSQL takes part with TREADLE_TEST_POSTGRES=postgres://root@127.0.0.1:5432/postgres.
import process from 'node:process';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';
import { listReads } from '../../src/model/expression/reads.ts';
import { ExpressionError } from '../../src/model/expression/token.ts';
import { onServer, placeUrl } from '../database/_where.ts';
import {
  checkOfThing,
  computeThings,
  drawTables,
  evaluateThings,
  generateThings,
  writeTables,
} from '../database/expression/_expression-world.ts';
import { drawExpression, spoil } from '../database/expression/_random-expression.ts';
import { createRandom } from './_random.mjs';

const words = process.argv.slice(2);
const at = words.indexOf('--seed');
const random = createRandom(at < 0 ? 1 : Number(words[at + 1]));
const cases = words.includes('--short') ? 2000 : 100_000;
const ROWS = 12;
const TOGETHER = 20;
/** Other rows after this many expressions. */
const PER_WORLD = 1000;

const urls = ['sqlite::memory:', ...(process.env.TREADLE_TEST_POSTGRES === undefined ? [] : [placeUrl()])];
const count = { checked: 0, generated: 0, refused: 0, values: 0, nulls: 0, spoiled: 0, differing: 0 };

/** A text that may be no expression: it is refused with a place in it, or it is one. */
function check(text) {
  try {
    return checkOfThing(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error.at < 1 || error.at > text.length + 1)
      throw new Error(`No place in ${text}: ${error.at}`, { cause: error });
    return undefined;
  }
}

function drawBatch() {
  const batch = [];
  while (batch.length < TOGETHER) {
    const text = drawExpression(random);
    if (random() % 4 === 0) {
      count.spoiled += 1;
      const spoiled = spoil(text, random);
      const expression = check(spoiled);
      if (expression !== undefined) batch.push({ text: spoiled, expression });
      continue;
    }
    const expression = check(text);
    if (expression === undefined) count.refused += 1;
    else batch.push({ text, expression });
  }
  return batch;
}

function tell(batch, index, database, found, expected) {
  for (const [row, value] of expected.entries()) {
    count.values += 1;
    if (value === null) count.nulls += 1;
    if (Object.is(found[row], value)) continue;
    count.differing += 1;
    if (count.differing > 20) continue;
    process.stdout.write(
      `${database.dialect}, row ${row + 1}: ${batch[index].text}\n  is ${found[row]} and must be ${value}\n`,
    );
  }
}

const open = (url) => openDatabase({ url, root: process.cwd(), clock: systemClock, log: silentLog });

for (let done = 0; done < cases; done += PER_WORLD) {
  const tables = drawTables(random, ROWS);
  const databases = [];
  for (const url of urls) databases.push(await open(url));
  for (const database of databases) await writeTables(database, tables);
  const own = drawBatch().filter(({ expression }) => listReads(expression).related.length === 0);
  for (const database of databases) {
    const found = await generateThings(
      database,
      own.map(({ expression }) => expression),
      'g',
    );
    count.generated += own.length;
    for (const [index, values] of found.entries())
      tell(own, index, database, values, evaluateThings(own[index].expression, tables));
  }
  for (let part = 0; part < Math.min(PER_WORLD, cases); part += TOGETHER) {
    const batch = drawBatch();
    const expressions = batch.map(({ expression }) => expression);
    count.checked += batch.length;
    const expected = expressions.map((expression) => evaluateThings(expression, tables));
    for (const database of databases) {
      const found = await computeThings(database, expressions).catch((error) => {
        throw new Error(`${database.dialect} refuses one of\n${batch.map(({ text }) => text).join('\n')}`, {
          cause: error,
        });
      });
      for (const [index, values] of found.entries()) tell(batch, index, database, values, expected[index]);
    }
  }
  for (const database of databases) {
    if (database.dialect === 'postgres')
      for (const { name } of tables) await database.kysely.schema.dropTable(name).execute();
    await database.close();
  }
}
for (const url of urls.slice(1))
  await onServer(`drop schema if exists "${new URL(url).searchParams.get('schema')}" cascade`);
process.stdout.write(
  `${count.checked} expressions on ${urls.length} databases, ${count.generated} as generated columns, ${count.values} values (${count.nulls} null), ${count.spoiled} texts spoiled, ${count.refused} refused, ${count.differing} differences\n`,
);
process.exit(count.differing === 0 ? 0 : 1);
