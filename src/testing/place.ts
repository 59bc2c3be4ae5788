import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { openDatabase } from '../database/open.ts';

/** Where a test site keeps its data. */
export interface TestPlace {
  readonly url: string;
  /** Folder of uploaded files. */
  readonly uploads: string;
  /** Removes all data, after the site has closed. */
  remove(): Promise<void>;
}

const NAME = 'treadle_test_';

async function dropSchema(server: string, schema: string, log: Log): Promise<void> {
  const clock: Clock = systemClock;
  const database = await openDatabase({ url: server, root: '/', log, clock, isMaking: false });
  try {
    await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(database.kysely);
  } finally {
    await database.close();
  }
}

function toSchemaUrl(server: string, schema: string): string {
  if (!URL.canParse(server) || !/^postgres(?:ql)?:$/.test(new URL(server).protocol))
    throw new TreadleError('TEST_DATABASE_INVALID', 'The database of a test site must be a postgres:// URL.', {
      hint: 'Leave `database` out for an SQLite file in a temporary folder.',
    });
  const url = new URL(server);
  url.searchParams.set('schema', schema);
  return String(url);
}

/**
 * A place that no other site has: an SQLite file in a new folder, or a new schema in a PostgreSQL database.
 *
 * @throws TEST_DATABASE_INVALID
 */
export function createPlace(given: string | undefined, log: Log): TestPlace {
  const server = given === '' ? undefined : given;
  const schema = `${NAME}${randomBytes(6).toString('hex')}`;
  const url = server === undefined ? undefined : toSchemaUrl(server, schema);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-test-')));
  return {
    url: url ?? `sqlite:${join(folder, 'app.db')}`,
    uploads: join(folder, 'upload'),
    async remove() {
      if (url !== undefined && server !== undefined) await dropSchema(server, schema, log);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
