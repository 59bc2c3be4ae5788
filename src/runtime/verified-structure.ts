import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { packageVersion } from '../core/package-root.ts';
import type { Database } from '../database/database.ts';
import type { Table } from '../database/table.ts';

/**
 * Remembers the structure that a start verified, so that the next start compares one text instead of reading every
 * table. The text is the database's whole schema with the tables of the plan: any difference causes a new check.
 */
export interface VerifiedStructure {
  isKnown(): boolean;
  keep(): void;
}

/** For SQLite; undefined for a database that cannot print its schema. */
export async function readVerified(
  database: Database,
  tables: readonly Table[],
  root: string,
): Promise<VerifiedStructure | undefined> {
  if (database.dialect !== 'sqlite') return undefined;
  const { rows } = await sql`select sql from sqlite_schema where sql is not null order by type, name`.execute(
    database.kysely,
  );
  const text = JSON.stringify([packageVersion, tables, rows]);
  const digest = createHash('sha256').update(text).digest('hex');
  const file = join(root, 'var/cache/structure');
  return {
    isKnown() {
      try {
        return readFileSync(file, 'utf8') === digest;
      } catch {
        return false;
      }
    },
    keep() {
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, digest, { mode: 0o600 });
      } catch {
        // A project on a read-only disk still starts.
      }
    },
  };
}
