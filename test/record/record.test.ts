// The net: every route, by every person, with good, wrong and missing values, against what it answered before.
// Also on PostgreSQL: what its statements return, and in which order the rows come.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIALECT } from '../database/_where.ts';
import { type Line, playAct, toGolden } from './_play.ts';
import { type Act, listActs } from './_requests.ts';
import { startRecordWorld } from './_world.ts';

const test = suite<{ acts: readonly Act[] }>('recorded answers');
const FILE = fileURLToPath(new URL('answers.txt', import.meta.url));
/** Of `run.mjs --against`: where the whole outcomes go, one as JSON a line, instead of being compared. */
const OUT = process.env.TREADLE_RECORD_OUT;
/** Of `run.mjs --write`: whether the golden file is written instead of being compared. */
const WRITES = process.env.TREADLE_RECORD_WRITE !== undefined;
/** Maximum differences to print. */
const SHOWN = 20;
const COLUMNS = ['status', 'headers', 'body', 'rows', 'events'];
/** Rows are printed as each database stores them, so they are compared on SQLite only. */
const ROWS = COLUMNS.indexOf('rows') + 1;

const readGolden = (): Map<string, string> => {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trimEnd().split('\n') : [];
  return new Map(lines.map((line) => [line.split('\t', 1)[0] ?? '', line]));
};

/** What PostgreSQL answers otherwise: it takes no NUL and says so, and has indexes that SQLite makes with the table. */
const ELSEWHERE = /GET \/admin\/migration |%00x/;

function compare(line: string, golden: string | undefined): string | undefined {
  if (golden === undefined) return `${line.split('\t', 1)[0]}: not recorded`;
  const [now, before] = [line.split('\t'), golden.split('\t')];
  if (DIALECT !== 'sqlite' && ELSEWHERE.test(golden)) return undefined;
  const isLeftOut = (index: number): boolean => index === ROWS && DIALECT !== 'sqlite';
  const changed = COLUMNS.filter((_, index) => !isLeftOut(index + 1) && now[index + 1] !== before[index + 1]);
  return changed.length === 0 ? undefined : `${now[0]}: ${changed.join(', ')}`;
}

test.before(async (at) => {
  const world = await startRecordWorld();
  at.acts = listActs(world.site.app.plan.bus.list().map(({ event }) => event));
  await world.site.close();
});

const recorded: Line[] = [];

test('answers each request as before', async ({ acts }) => {
  const golden = readGolden();
  const faults: string[] = [];
  for (const act of acts) {
    const lines = await playAct(act);
    recorded.push(...lines.map(({ key, outcome }) => ({ key: `${act.name}: ${key}`, outcome })));
    // A sign for each act, so that the runner sees that it goes on.
    process.stdout.write('.');
  }
  if (OUT !== undefined) return appendFileSync(OUT, recorded.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (WRITES) return writeFileSync(FILE, recorded.map((line) => `${toGolden(line)}\n`).join(''));
  for (const line of recorded) {
    const difference = compare(toGolden(line), golden.get(line.key));
    if (difference !== undefined) faults.push(difference);
    golden.delete(line.key);
  }
  for (const key of golden.keys()) faults.push(`${key}: no longer asked`);
  const hint = 'See them: node test/record/run.mjs --against HEAD. Keep them: node test/record/run.mjs --write';
  assert.is(faults.length, 0, `${faults.slice(0, SHOWN).join('\n')}\n${faults.length} differences. ${hint}`);
});

test.run();
