import { listReads } from '../../model/expression/reads.ts';
import type { Expression } from '../../model/expression/tree.ts';
import type { WayKeys } from '../../model/way-keys.ts';

/** A column that triggers compute. */
export interface TriggerTarget {
  readonly table: string;
  readonly primary: string;
  readonly column: string;
  /** Begins the names of its triggers. */
  readonly prefix: string;
  readonly expression: Expression;
}

/** A table whose writes change the column, and how its rows find those of the target. */
export interface TriggerSource {
  readonly table: string;
  /** Column of the target, and the one here that holds its value. */
  readonly side: string;
  readonly key: string;
  /**
   * For the rows behind a table of pairs: that table, with its column for these rows. Then the key is in there, and only
   * updates count: a row that comes or goes does so without pairs, or with writes of them.
   */
  readonly pairs: { readonly table: string; readonly column: string; readonly primary: string } | undefined;
  /** Columns whose changes change the value. */
  readonly watched: readonly string[];
}

/** A trigger with its statements. */
export interface MadeTrigger {
  readonly name: string;
  readonly sql: readonly string[];
}

function* listRelated(
  expression: Expression,
): Generator<{ readonly keys: WayKeys; readonly columns: readonly string[] }> {
  if (expression.related === undefined) {
    for (const part of expression.parts) yield* listRelated(part);
    return;
  }
  yield { keys: expression.related.keys, columns: expression.parts.flatMap((part) => listReads(part).columns) };
}

/** The tables whose writes change a column: its own, then those of related rows and of pairs. */
export function listSources({ table, primary, column, expression }: TriggerTarget): TriggerSource[] {
  const own = { table, side: primary, key: primary, pairs: undefined };
  const found = new Map<string, TriggerSource>();
  const add = (source: TriggerSource): void => {
    const id = JSON.stringify([source.table, source.side, source.key, source.pairs]);
    const watched = [...new Set([...(found.get(id)?.watched ?? []), ...source.watched])];
    found.set(id, { ...source, watched });
  };
  // What anybody else writes into the column is computed again.
  add({ ...own, watched: [...listReads(expression).columns, column] });
  for (const { keys, columns } of listRelated(expression)) {
    const watched = [...columns, ...(keys.active === undefined ? [] : [keys.active])];
    const { side, key, through } = keys;
    add({ table: keys.table, side, key, pairs: undefined, watched: through === undefined ? watched : [] });
    if (through === undefined || watched.length === 0) continue;
    const pairs = { table: keys.table, column: through.column, primary: through.primary };
    add({ table: through.table, side, key, pairs, watched });
  }
  return [...found.values()];
}
