// Two builds of Treadle and two versions of a project's definitions on one database, with writers in both all the time: the
// later version comes and both serve, the earlier one goes on and is started again, and the later comes once more. Every row
// that was answered is found by all that serve, nothing is refused without need, and nothing is 500. Both ways: the older
// build has the earlier definitions, or the later ones.
// Usage: node --import tsx test/torture/roll-out.mjs [--against commit] [--built program] [--short] [--seed n]
//   [--only change] [--on sqlite|postgres]
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Cluster, missingReason } from './_cluster.mjs';
import { createDice } from './_migration-world.mjs';
import { buildOlder, hasCommit } from './_older-build.mjs';
import { CHANGES, toVersions } from './_roll-out-change.mjs';
import { Ledger } from './_roll-out-rows.mjs';
import { StartSite, writeSite } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    against: { type: 'string', default: '180f0211' },
    built: { type: 'string' },
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    only: { type: 'string', default: '' },
    on: { type: 'string' },
  },
});
const TIMES = values.short ? 15 : 60;
const FIRST_ROWS = values.short ? 100 : 1500;
const dice = createDice(Number(values.seed));
/** Projects so far: each has a folder of its own. */
let made = 0;

/** A server of one build and one version. */
class Server {
  isStale = false;
  /** Rules are those of the later version from the start of a migration on, and the database follows them from its end on. */
  isMigrating = false;
  /** The older build never notices rows that a server of other searchable fields wrote: its `q` may miss them. */
  isBlind = false;

  constructor(name, { site, folder, version, env }) {
    Object.assign(this, { name, site, folder, version, rules: version, env });
  }

  async start() {
    this.started = await this.site.start({ env: this.env, cwd: this.folder });
    this.url = this.started.url;
  }

  end() {
    return this.started.end();
  }

  run(...argv) {
    return this.site.run(argv, this.env, this.folder);
  }
}

/** The older build locks no table before it fills empty values, so on PostgreSQL a row that comes then makes it try again. */
async function migrateFully(server, isOlder) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await server.run('migrate', '--yes');
    } catch (error) {
      if (!isOlder || tries === 10 || !error.message.includes('nothing was changed')) throw error;
    }
  }
}

const toWrite = (version) => (schema) => ({ ...schema, fields: version.fields });

async function play(change, { earlier, later, databaseUrl, told, older }) {
  const ledger = new Ledger(dice);
  const { before, after } = toVersions(change);
  const isOtherSearch = `${[...before.searchable]}` !== `${[...after.searchable]}`;
  const env = { DATABASE_URL: databaseUrl };
  const make = (name, site, version) => {
    made += 1;
    const folder = join(site.folder, `${made}`);
    writeSite(folder, {}, toWrite(version), { update: 'patch', detail: 'get' });
    const server = new Server(name, { site, folder, version, env });
    server.isBlind = site === older.site && isOtherSearch;
    return server;
  };
  const old = make(`${earlier.name}, before`, earlier.site, before);
  const fresh = make(`${later.name}, after`, later.site, after);
  const both = [old, fresh];
  // The older build drops an index at once that no field of its version needs.
  const isBreaking = change.isBreaking === true || (later.site === older.site && after.searchable.size === 0);
  // This release's own step, where the older build is the one that follows.
  await old.run('migrate', '--yes');
  await old.start();
  await ledger.write([old], FIRST_ROWS / 3);
  await ledger.check(old, `${told}: alone`);
  const migrate = async () => {
    old.isStale = isBreaking;
    old.rules = { ...after, searchable: before.searchable };
    old.isMigrating = true;
    await migrateFully(fresh, fresh.site === older.site);
    old.isMigrating = false;
    for (const values of ledger.rows.values()) for (const [name, value] of after.presets) values[name] ??= value;
  };
  await ledger.write([old], TIMES, migrate());
  await fresh.start();
  await ledger.write(both, TIMES);
  const serving = () => both.filter(({ isStale }) => !isStale);
  for (const server of serving()) await ledger.check(server, `${told}: both`);
  await Promise.all([old.end(), fresh.end()]);
  if (isBreaking) {
    await fresh.run('migrate', 'undo', '--yes');
    Object.assign(old, { isStale: false, rules: before });
  }
  await old.start();
  if (isBreaking) await ledger.takeUndone(old, after.presets);
  await ledger.write([old], TIMES);
  await ledger.check(old, `${told}: rolled back`);
  await ledger.write([old], TIMES, migrate());
  await fresh.start();
  await ledger.write(both, TIMES);
  for (const server of serving()) await ledger.check(server, `${told}: once more`);
  await Promise.all([old.end(), fresh.end()]);
  return ledger;
}

async function storm(dialect, toUrl, builds) {
  const names = Object.keys(CHANGES).filter((name) => name.includes(values.only));
  const chosen = values.short && values.only === '' ? [dice.pick(names), dice.pick(names)] : names;
  let failures = 0;
  for (const name of chosen) {
    for (const [earlier, later] of [builds, [...builds].reverse()]) {
      const told = `${dialect}, ${name}, ${earlier.name} build first`;
      try {
        const { rows, counts, faults } = await play(CHANGES[name], {
          earlier,
          later,
          databaseUrl: await toUrl(),
          told,
          older: builds[0],
        });
        process.stdout.write(`${told}: ${rows.size} rows, ${JSON.stringify(counts)}\n`);
        if (faults.length > 0) throw new Error(`${faults.length} faults\n  ${faults.slice(0, 5).join('\n  ')}`);
      } catch (error) {
        failures += 1;
        process.stdout.write(`roll-out: ${told}: ${error.message}\n`);
      } finally {
        for (const { site } of builds) await site.endAll();
      }
    }
  }
  return failures;
}

async function run() {
  if (values.built === undefined && !hasCommit(values.against)) {
    process.stdout.write(`skipped: roll-out (this checkout has no commit ${values.against})\n`);
    return;
  }
  const builds = [
    { name: 'old', site: await StartSite.make({ program: values.built ?? buildOlder(values.against) }) },
    { name: 'new', site: await StartSite.make() },
  ];
  let failures = 0;
  let last = 0;
  try {
    const toFile = async () => {
      last += 1;
      return `sqlite:${join(builds[0].site.folder, `${last}.db`)}`;
    };
    if (values.on !== 'postgres') failures += await storm('SQLite', toFile, builds);
    if (values.on === 'sqlite') return;
    if (missingReason !== undefined) {
      process.stdout.write(`skipped: roll-out on PostgreSQL (${missingReason})\n`);
      return;
    }
    const cluster = await Cluster.makeTemporary();
    const toSchema = async () => {
      last += 1;
      return `${cluster.site}?schema=roll_${last}`;
    };
    try {
      failures += await storm('PostgreSQL', toSchema, builds);
    } finally {
      await cluster.remove();
    }
  } finally {
    for (const { site } of builds) await site.close();
    if (failures > 0) process.exitCode = 1;
  }
}

await run().catch((error) => {
  process.stdout.write(`roll-out: ${error.stack}\n`);
  process.exitCode = 1;
});
