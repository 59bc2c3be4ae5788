import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageVersion } from '../core/package-root.ts';
import type { Database } from '../database/database.ts';
import { readSchemaText } from '../database/dialect-sql.ts';

/**
 * Remembers the structure that a start verified, so that the next start compares one text instead of reading every
 * table. The text is the database's whole schema, with the triggers that count writes, and the tables of the plan: any
 * difference causes a new check.
 */
export interface VerifiedStructure {
  /** As `Database.structureVersion`, of the same moment. */
  readonly version: string;
  isKnown(): boolean;
  /** Remembers it, unless the schema is another one by now. */
  keep(): Promise<void>;
}

/**
 * Undefined for a database that cannot print its schema.
 *
 * @param tables The tables of the plan, as text.
 */
export async function readVerified(
  database: Database,
  tables: string,
  root: string,
): Promise<VerifiedStructure | undefined> {
  const schema = await readSchemaText(database);
  if (schema === undefined) return undefined;
  const { version, text } = schema;
  // A start that kept this had its writes counted.
  const given = JSON.stringify([packageVersion, 'counted', tables, text]);
  const digest = createHash('sha256').update(given).digest('hex');
  const file = join(root, 'var/cache/structure');
  return {
    version,
    isKnown() {
      try {
        return readFileSync(file, 'utf8') === digest;
      } catch {
        return false;
      }
    },
    async keep() {
      if ((await readSchemaText(database))?.text !== text) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, digest, { mode: 0o600 });
      } catch {
        // A project on a read-only disk still starts.
      }
    },
  };
}
