import { currentScope } from '../../core/scope.ts';
import type { Database } from '../database.ts';
import { fillWords } from './fill.ts';
import { lookSql, toLook, type WordsLook } from './state.ts';
import type { WordTarget } from './word-table.ts';

/** Seconds for which every search looks, after words were missing: servers of another version may still write. */
const CAREFUL_SECONDS = 24 * 3600;

interface IndexLook {
  readonly query: ReturnType<typeof lookSql>;
  /** When all words were there; undefined if the next search must look. Milliseconds since 1970. */
  wholeAt: number | undefined;
  /** The work on what lacks, if it runs. */
  filling: Promise<void> | undefined;
}

/** By target, which one model shares. */
const looks = new WeakMap<Database, WeakMap<WordTarget, IndexLook>>();

function getLooked(database: Database, target: WordTarget): IndexLook {
  const known = looks.get(database) ?? new WeakMap<WordTarget, IndexLook>();
  looks.set(database, known);
  const found = known.get(target) ?? {
    query: lookSql(target, database.dialect),
    wholeAt: undefined,
    filling: undefined,
  };
  known.set(target, found);
  return found;
}

/** Reads past the versions that a cached answer depends on: the rows of the index count as those of its table. */
function readAside<T>(read: () => Promise<T>): Promise<T> {
  const { reads: _, ...scope } = currentScope.getStore() ?? {};
  return currentScope.run(scope, read);
}

/**
 * Looks whether the index has the words of all rows. What was seen counts as long as commits of other processes may go
 * unseen anyway; a row of this process always has its words.
 *
 * @returns undefined if it has.
 */
export async function lookAtWords(database: Database, target: WordTarget): Promise<WordsLook | undefined> {
  const looked = getLooked(database, target);
  const recent = database.recentVersions;
  const now = recent?.now ?? Date.now();
  if (looked.wholeAt !== undefined && recent?.isLate(looked.wholeAt) === false) return undefined;
  const [row] = await readAside(() => database.run(looked.query));
  const look = toLook(target, row);
  looked.wholeAt = undefined;
  if (look.isBehind || look.isDue) return look;
  if (now / 1000 - look.since > CAREFUL_SECONDS) looked.wholeAt = now;
  return undefined;
}

/** Adds what lacks, once at a time, beside whatever the caller does. */
export function mendWords(database: Database, target: WordTarget): void {
  const looked = getLooked(database, target);
  if (database.isInTransaction || looked.filling !== undefined) return;
  const fill = (): Promise<void> => fillWords(database, target, database.recentVersions.now);
  // The next search tries again: the disk may be full, or the database closed.
  looked.filling = currentScope
    .run({}, fill)
    .catch(() => {})
    .finally(() => {
      looked.filling = undefined;
    });
}
