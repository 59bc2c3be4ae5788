import type { Definitions } from '../definitions.ts';
import { type RowKeys, readRowKeys } from './row-keys.ts';

/** Current names by former ones. */
export type Names = ReadonlyMap<string, string>;

/** The current keys of one schema's rows. */
export interface RowRenames {
  readonly columns: Names;
  readonly relations: Names;
  readonly computed: Names;
}

/** Everything that a rename of a schema, field or relation changes: columns, keys and lists of rows. */
export interface Renames {
  /** By the schema's former name. */
  readonly bySchema: ReadonlyMap<string, RowRenames>;
  /** Names that can be replaced anywhere. */
  readonly columns: Names;
  readonly relations: Names;
  /** Former names that something else still has: only a place with a known schema distinguishes them. */
  readonly unsure: ReadonlySet<string>;
}

const NONE: RowRenames = { columns: new Map(), relations: new Map(), computed: new Map() };

function compareMarked(before: Names, after: Names | undefined): Map<string, string> {
  const changed = new Map<string, string>();
  const staying = new Set<string>();
  for (const [mark, name] of before) {
    const present = after?.get(mark);
    if (present === undefined || present === name) staying.add(name);
    else if (!changed.has(name)) changed.set(name, present);
  }
  // A name that one key loses while another keeps it belongs to the other.
  for (const name of staying) changed.delete(name);
  return changed;
}

/** Merges the names of all schemas, without those with different meanings in different schemas. */
function join(
  before: ReadonlyMap<string, RowKeys>,
  bySchema: ReadonlyMap<string, RowRenames>,
  part: 'columns' | 'relations',
  unsure: Set<string>,
): Names {
  const joined = new Map<string, string>();
  for (const [schema, keys] of before) {
    const changed = bySchema.get(schema)?.[part];
    for (const name of keys[part].values()) {
      const present = changed?.get(name) ?? name;
      const known = joined.get(name);
      if (known !== undefined && known !== present) unsure.add(name);
      joined.set(name, known ?? present);
    }
  }
  return new Map([...joined].filter(([name, present]) => name !== present && !unsure.has(name)));
}

/**
 * Compares the rows of two sets of definitions.
 *
 * @param toFormer Maps a schema's name in `after` to its name in `before`.
 */
export function compareRowKeys(before: Definitions, after: Definitions, toFormer: (schema: string) => string): Renames {
  const old = readRowKeys(before);
  const fresh = readRowKeys(after, toFormer);
  const bySchema = new Map(
    [...old].map(([schema, keys]) => {
      const now = fresh.get(schema);
      const changed: RowRenames = {
        columns: compareMarked(keys.columns, now?.columns),
        relations: compareMarked(keys.relations, now?.relations),
        computed: compareMarked(keys.computed, now?.computed),
      };
      return [schema, changed] as const;
    }),
  );
  const unsure = new Set<string>();
  const columns = join(old, bySchema, 'columns', unsure);
  const relations = join(old, bySchema, 'relations', unsure);
  return { bySchema, columns, relations, unsure };
}

/** No renames: for definitions other than schemas, fields and relations. */
export const noRenames: Renames = { bySchema: new Map(), columns: new Map(), relations: new Map(), unsure: new Set() };

/** The current name of a word in a place about rows of these schemas; else its current name anywhere. */
export function toPresent(renames: Renames, word: string, place: RowPlace): string {
  for (const schema of place.schemas) {
    const { columns, relations, computed } = renames.bySchema.get(schema) ?? NONE;
    const found = columns.get(word) ?? (place.isExpression ? (relations.get(word) ?? computed.get(word)) : undefined);
    if (found !== undefined) return found;
  }
  return renames.columns.get(word) ?? word;
}

/** The rows that a text is about. */
export interface RowPlace {
  /** Former names. */
  readonly schemas: readonly string[];
  /** True if relations and computed values count too. */
  readonly isExpression: boolean;
}
