import { currentScope, type ReadRows } from '../../core/scope.ts';
import type { Row } from '../../database/row-statement.ts';
import { toReadRows } from '../../database/version/read-note.ts';
import { isTreeOperator } from '../../model/filter/operator.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
import type { Condition } from './parse/json-path.ts';
import type { Search } from './search-shape.ts';
import type { Source } from './source/source.ts';

/** Which rows a statement reads, for answers that are cached: then a write of other rows leaves them valid. */
export class RowsRead {
  readonly list: ReadRows[] = [];

  /** A reading of rows with one of these values in a column. */
  add(table: string, column: string, values: readonly unknown[]): void {
    this.list.push(toReadRows(table, column, values));
  }

  /**
   * Readings of the rows that are joined 1:1. Their keys are in the rows that they are joined to: call what it returns with these.
   * Until then the whole table counts. A key that leaves its row changes that row.
   */
  addJoined({ joins }: Source): (rows: readonly Row[]) => void {
    const pending = joins.map(({ table, foreign, primary }) => {
      const reading: ReadRows = { table, tags: undefined };
      this.list.push(reading);
      return { reading, table, foreign, primary };
    });
    return (rows) => {
      for (const { reading, table, foreign, primary } of pending) {
        const keys = new Set(rows.map((row) => row[foreign]));
        keys.delete(null);
        reading.tags = toReadRows(table, primary, [...keys]).tags;
      }
    };
  }

  /** A reading of rows that others refer to, by their keys: call what it returns with these. Until then the whole table counts. */
  addReferred({ table, primary }: SchemaModel): (keys: readonly unknown[]) => void {
    const reading: ReadRows = { table, tags: undefined };
    this.list.push(reading);
    return (keys) => {
      reading.tags = toReadRows(
        table,
        primary,
        keys.filter((key) => key !== null),
      ).tags;
    };
  }

  /**
   * The readings of a relation's rows, for these keys of its parents; of 1:0 the keys of the rows themselves. Linked rows of N:N
   * count by table: one that is hidden now is not in the result, but may show later.
   */
  addRelated({ kind, table, sourceColumn }: RelationModel, target: Source, keys: readonly unknown[]): void {
    const own = target.schema;
    if (kind === 'N:N') this.add(table, sourceColumn ?? '', keys);
    else if (kind === '1:N') this.add(own.table, sourceColumn ?? '', keys);
    else this.add(own.table, own.primary, keys);
  }

  /**
   * The readings of a search: of its own rows, if a filter or a rule fixes their key or a key of a row that they refer to, and of
   * those that are joined to them. Its text may name their tables more often, only to find the fastest way to the same rows.
   */
  addSearched(search: Search): (rows: readonly Row[]) => void {
    const { source, conditions, rows, fields, values } = search;
    const fixed = [...conditions, ...(rows?.all ?? [])].find(
      ({ column, operator, within, hasPath }) =>
        operator === 'eq' && within === undefined && column?.alias === 't' && column.type === 'integer' && !hasPath,
    );
    const key = fixed?.fixed === undefined ? values.list[fixed?.slot ?? -1] : fixed.fixed.value;
    if (fixed?.column) this.add(source.schema.table, fixed.column.column, [key]);
    const isTold = source.joins.every(({ foreign }) => fields?.some(({ name }) => name === foreign) ?? true);
    const settle = isTold ? this.addJoined(source) : () => {};
    if (asksNobodyElse(search)) for (const reading of this.list) reading.isAll = true;
    return settle;
  }
}

/** True if nothing but the rows themselves decides which are found and what they show. */
function asksNobodyElse({ source, conditions, alternatives = [], rows, sight, words }: Search): boolean {
  if (source.counted.length > 0) return false;
  const all = [...conditions, ...alternatives.flat(), ...(rows?.all ?? []), ...(rows?.anyOf ?? []).flat()];
  const masks = [...(rows?.masks.values() ?? [])].flat(2);
  const isLone = ({ within, operator }: Condition): boolean => within === undefined && !isTreeOperator(operator);
  return words === undefined && sight.size === 0 && [...all, ...masks].every(isLone);
}

/** Undefined while nobody records what is read. */
export const startRows = (): RowsRead | undefined =>
  currentScope.getStore()?.reads === undefined ? undefined : new RowsRead();
