import { type CompiledQuery, sql } from 'kysely';
import type { Random } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import { lockUploadFolder, readUploadFolder, writeUploadFolder } from '../database/served-mode.ts';
import { holdsFiles } from '../model/field/field-kind.ts';
import { UPLOAD_PATH } from '../model/field/file-type.ts';
import type { Model } from '../model/model.ts';
import type { Files } from '../project/file-store.ts';

interface Parts {
  readonly database: Database;
  readonly files: Files;
  readonly model: Model;
}

/** Newest rows of each column that are asked for their files. */
const ROWS = 20;
const NAME = new RegExp(`${UPLOAD_PATH}[A-Za-z0-9_-]{22}\\.[a-z0-9]{1,16}`, 'g');

export const OTHER_FOLDER =
  'The uploads of this database are in another folder than var/upload here, so files that rows name are missing on one of the two machines. ' +
  'Give all machines one shared var/upload. If this folder is the right one, delete var/upload/.treadle-folder and start again.';

function* listQueries({ schemas }: Model, { kysely }: Database): Iterable<CompiledQuery> {
  for (const { table, primary, columns } of schemas.values()) {
    for (const { name } of columns.filter(holdsFiles)) {
      const column = sql.ref(name);
      yield sql<{
        text: string;
      }>`select cast(${column} as text) as text from ${sql.table(table)} where ${column} is not null
        order by ${sql.ref(primary)} desc limit ${ROWS}`.compile(kysely);
    }
  }
}

/** Of the uploads that the newest rows name: how many, and how many are not in the folder. */
async function countMissing({ database, files, model }: Parts): Promise<{ total: number; missing: number }> {
  const addresses = new Set<string>();
  for (const query of listQueries(model, database)) {
    for (const { text } of await database.run(query)) {
      for (const [address] of String(text).matchAll(NAME)) addresses.add(address);
    }
  }
  const stored = await Promise.all([...addresses].map((address) => files.open(address)));
  return { total: addresses.size, missing: stored.filter((file) => file === undefined).length };
}

const hasFileColumns = ({ schemas }: Model): boolean =>
  [...schemas.values()].some(({ columns }) => columns.some(holdsFiles));

/**
 * Why this machine's folder of uploads is not the one of the database; undefined if it is. A folder without an id and a
 * database without one take the other's; so does a folder that has the files of its rows, or needs to have none.
 */
async function settle(parts: Parts, random: Random): Promise<string | undefined> {
  const { database, files } = parts;
  const [own, known] = [await files.readId(), await readUploadFolder(database)];
  if (own !== undefined && own === known) return undefined;
  return database.transaction(async () => {
    // Another process of this machine may have settled it in between.
    await lockUploadFolder(database);
    const [id, last] = [await files.readId(), await readUploadFolder(database)];
    if (id !== undefined && last !== undefined) return id === last ? undefined : OTHER_FOLDER;
    if (id === undefined && last !== undefined) {
      const { total, missing } = await countMissing(parts);
      if (total > 0 && missing === total) return OTHER_FOLDER;
    }
    await writeUploadFolder(database, id ?? (await files.makeId(random)));
    return undefined;
  });
}

/** Tells at the start of a server that its folder of uploads is not the one of the database. */
export async function tellOtherFolder({ random, log, ...parts }: Parts & { random: Random; log: Log }): Promise<void> {
  if (!hasFileColumns(parts.model)) return;
  try {
    const message = await settle(parts, random);
    if (message !== undefined) log.warn('uploads-elsewhere', { message });
  } catch (error) {
    // On a full disk a server still serves.
    log.warn('the folder of uploads could not be compared with the database', { error });
  }
}

/** The same for `treadle doctor`, which changes nothing, and what it says of single files. */
export async function findOtherFolder(
  parts: Parts,
): Promise<{ readonly isBad: boolean; readonly text: string } | undefined> {
  if (!hasFileColumns(parts.model)) return undefined;
  const [own, known] = [await parts.files.readId(), await readUploadFolder(parts.database)];
  const { total, missing } = await countMissing(parts);
  const isOther = own !== undefined && known !== undefined && own !== known;
  if (isOther || (total > 0 && missing === total)) return { isBad: true, text: OTHER_FOLDER };
  const text = `${missing} of ${total} files that the newest rows name are not in var/upload`;
  return missing === 0 ? { isBad: false, text: 'var/upload has the files that rows name' } : { isBad: true, text };
}
