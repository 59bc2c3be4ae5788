// Every field type, way in, way out and hard value: what comes out is what went in. Prints the cells that were tried.
// The whole of test/e2e/round-trip.test.ts, which tries a twentieth. On PostgreSQL with TREADLE_TEST_POSTGRES.
// Usage: node test/torture/run.mjs round-trip [--seed n] [--short]. Short tries every fourth value.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { tryRoundTrip } from '../e2e/_round-trip.ts';

const { values } = parseArgs({
  strict: false,
  options: { seed: { type: 'string', default: '20261121' }, short: { type: 'boolean', default: false } },
});
const part = Number(values.seed) % 4;
const { cells, differences } = await tryRoundTrip({ isTried: (index) => !values.short || index % 4 === part });
for (const difference of differences) console.error(difference);
console.log(`${cells} cells tried, ${differences.length} differences`);
process.exit(differences.length === 0 ? 0 : 1);
