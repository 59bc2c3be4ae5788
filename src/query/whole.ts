import { sql } from 'kysely';
import { setJsonText } from '../core/json-list.ts';
import type { Database, Row } from '../database/database.ts';
import type { RelationModel } from '../model/model.ts';
import { toRef } from './condition.ts';
import type { ActiveWanted } from './draft.ts';
import { type Fragment, Slot } from './operator.ts';
import { DETAIL_ROWS, fromRelated, isList, toMoreName } from './related.ts';
import type { Source } from './source.ts';
import {
  activeConditions,
  compileStatement,
  fromJoined,
  isPrintable,
  PRINTED,
  printedRow,
  type Statement,
  where,
} from './statement.ts';

/** A row with all its lists, asked for by its primary key: slot 0; slot 1 is the owner's profile. */
export interface WholeInput {
  readonly source: Source;
  readonly relations: readonly { readonly relation: RelationModel; readonly target: Source }[];
  readonly wanted: ActiveWanted;
  readonly isRestricted: boolean;
}

const toListName = (index: number): string => `treadle_list_${index}`;

/** Whether the database may print the row and its lists in one statement: one way to its thread and back. */
export function isWhole({ source, relations }: WholeInput, database: Database): boolean {
  return (
    isPrintable(source.columns.size, database) &&
    relations.every(({ relation, target }) => isList(relation) && isPrintable(target.columns.size, database))
  );
}

/** Compiles a row and its lists, each as one JSON text. */
export function compileWhole({ source, relations, wanted, isRestricted }: WholeInput, database: Database): Statement {
  const parts: Fragment[] = [sql`${toRef(source.primary)} = ${new Slot(0)}`, ...activeConditions(source, wanted)];
  if (isRestricted && source.owner) parts.push(sql`${toRef(source.owner)} = ${new Slot(1)}`);
  const lists = relations.map(({ relation, target }, index) => {
    const { from, order } = fromRelated({ relation, target, isOne: true }, database);
    const rows = sql`select ${printedRow(target.columns.values())} ${from} ${order}`;
    // The number of rows before the list tells whether it was cut, without a look into it.
    const text = sql`count(*) || '[' || coalesce(group_concat(${sql.ref(PRINTED)}), '') || ']'`;
    return sql`(select ${text} from (${rows})) as ${sql.ref(toListName(index))}`;
  });
  const columns = sql.join([printedRow(source.columns.values()), ...lists]);
  return compileStatement(sql`select ${columns} ${fromJoined(source)} ${where(parts)} limit 1`, database);
}

/** The row of what {@link compileWhole} found; its lists stay text until somebody looks. */
export function toWhole(found: Row | undefined, { relations }: WholeInput): Row | undefined {
  if (!found) return undefined;
  const row = JSON.parse(found[PRINTED] as string) as Row;
  for (const [index, { relation }] of relations.entries()) {
    const text = found[toListName(index)] as string;
    const start = text.indexOf('[');
    const list = text.slice(start);
    if (Number(text.slice(0, start)) <= DETAIL_ROWS) setJsonText(row, relation.name, list);
    else {
      row[relation.name] = (JSON.parse(list) as Row[]).slice(0, DETAIL_ROWS);
      row[toMoreName(relation)] = true;
    }
  }
  return row;
}
