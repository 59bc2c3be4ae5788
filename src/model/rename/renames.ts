import type { Definitions } from '../definitions.ts';
import { type RowKeys, readRowKeys } from './row-keys.ts';

/** Present names by former ones. */
export type Names = ReadonlyMap<string, string>;

/** What the rows of one schema are keyed by now. */
export interface RowRenames {
  readonly columns: Names;
  readonly relations: Names;
  readonly computed: Names;
}

/** What else is called otherwise once a schema, a field or a relation is: columns, keys and lists of rows. */
export interface Renames {
  /** By the schema's former name. */
  readonly bySchema: ReadonlyMap<string, RowRenames>;
  /** What may be changed wherever it stands. */
  readonly columns: Names;
  readonly relations: Names;
  /** Former names that something else is called still: only a place whose schema is known tells them apart. */
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
  // A name that one key loses and another keeps is that other's.
  for (const name of staying) changed.delete(name);
  return changed;
}

/** A map of all schemas' names, without those that mean different things in different schemas. */
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
 * @param toFormer A schema's name in `before`, from that in `after`.
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

/** Nothing is called otherwise: where what is renamed is no schema, field or relation. */
export const noRenames: Renames = { bySchema: new Map(), columns: new Map(), relations: new Map(), unsure: new Set() };

/** What a word stands for now, in a place about rows of these schemas; else what it stands for anywhere. */
export function toPresent(renames: Renames, word: string, place: RowPlace): string {
  for (const schema of place.schemas) {
    const { columns, relations, computed } = renames.bySchema.get(schema) ?? NONE;
    const found = columns.get(word) ?? (place.isExpression ? (relations.get(word) ?? computed.get(word)) : undefined);
    if (found !== undefined) return found;
  }
  return renames.columns.get(word) ?? word;
}

/** Whose rows a text is about. */
export interface RowPlace {
  /** Former names. */
  readonly schemas: readonly string[];
  /** Relations and computed values count here too. */
  readonly isExpression: boolean;
}
