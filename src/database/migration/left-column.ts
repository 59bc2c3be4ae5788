import { createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualColumn, ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { quote } from '../table-sql.ts';
import { noteCopy } from './compare-column.ts';
import { findMemory, type PlanContext, toState } from './context.ts';
import { createCopySql, keepColumnSql } from './copy-sql.ts';

/** A column without a definition. */
export interface LeftColumn {
  readonly column: ActualColumn;
  /** Memory of it, if it stays and is Treadle's. */
  readonly state?: TableColumn;
  readonly isGone: boolean;
  /** Whether it becomes optional or loses its foreign key. */
  readonly isLoosened: boolean;
  /** Whether it keeps its foreign key. */
  readonly isLed: boolean;
  readonly steps: readonly MigrationStep[];
  readonly refusal?: MigrationStep;
}

interface Place {
  readonly table: Table;
  readonly actual: ActualTable;
  readonly column: ActualColumn;
}

/**
 * Drops a column of Treadle's if loss is allowed, with a copy of its values; otherwise keeps it, but makes
 * it optional and removes its foreign key, because nobody could see why a row cannot be created or removed.
 * Columns created by users stay unchanged.
 */
export async function planLeftColumn(place: Place, context: PlanContext): Promise<LeftColumn> {
  const { table, actual, column } = place;
  const isOwn = context.isOwn(actual.name, column.name);
  const given = isOwn ? await countGiven(place, context) : 0;
  const isReplaced = context.replaced.has(`${actual.name}.${column.name}`);
  // An undo drops what it created if nobody entered data.
  const isEmpty = given === 0 && (context.undo !== undefined || isReplaced);
  if (isReplaced || (isOwn && (context.isLossAllowed || isEmpty))) {
    return dropColumn(place, isEmpty ? 0 : given, isEmpty, context);
  }
  const isLed = !(isOwn && column.references !== undefined);
  const isBare = column.isRequired && column.default === undefined && !actual.primaryKey.includes(column.name);
  const {
    references: _,
    was: __,
    wasUnder: ___,
    ...known
  } = toState(actual, context.memory.get(actual.name)).columns.find(({ name }) => name === column.name) ?? {};
  const { was, named = was } = findMemory(context, actual.name, column.name) ?? {};
  const kept = named === undefined ? {} : { named };
  const state = isOwn
    ? { state: { ...(known as TableColumn), ...kept, isRequired: column.isRequired && !isBare, isLeft: true as const } }
    : {};
  if (!isOwn) context.draft.drift.push(toDrift(table, column));
  return {
    column,
    ...state,
    isGone: false,
    isLoosened: isBare || !isLed,
    isLed,
    steps: loosen(place, { isBare, isLed }, context),
    ...(isOwn ? { refusal: refuseDrop(place, given, context) } : {}),
  };
}

/** Number of values that would be lost: in an undo those that users entered, not defaults. */
async function countGiven({ actual, column }: Place, context: PlanContext): Promise<number> {
  const { default: value, fill } = findMemory(context, actual.name, column.name) ?? {};
  const unasked = [value, fill].filter((item) => item !== undefined);
  if (context.undo !== undefined) return context.counter.given(actual.name, column.name, unasked);
  return (await context.counter.values(actual.name, column.name)).count;
}

const toDrift = (table: Table, { name }: ActualColumn) => ({
  kind: 'column' as const,
  table: table.name,
  name,
  words: `The column ${table.name}.${name}, which has no field and was not created by Treadle.`,
});

function dropColumn(
  { table, actual, column }: Place,
  given: number,
  isEmpty: boolean,
  context: PlanContext,
): LeftColumn {
  // Even if there is a default: an undo would otherwise write it where the value was null.
  const isKept = given > 0 || (context.undo === undefined && column.default !== undefined);
  const copy = isKept
    ? noteCopy(context, { kind: 'column', table: table.name, column: column.name, rows: given })
    : undefined;
  const shape = { copy: copy ?? '', table: actual, former: column.type };
  const keep = copy === undefined ? [] : [createCopySql(shape, context.dialect), keepColumnSql(shape, column.name)];
  const drop =
    context.dialect === 'sqlite' ? [] : [`alter table ${quote(actual.name)} drop column ${quote(column.name)}`];
  const told = isKept ? `, with ${given} values that are kept in ${copy}` : ', which holds nothing';
  const step: MigrationStep = {
    kind: 'drop-column',
    // A column that is replaced without permission to lose data holds only defaults.
    class: isEmpty || (context.undo === undefined && !context.isLossAllowed) ? 'change' : 'lose',
    table: table.name,
    column: column.name,
    words: `Drop the column ${column.name} of ${table.name}${told}.`,
    sql: [...keep, ...drop],
    rowsAtRisk: given,
    isNeeded: false,
    isBreaking: true,
    ...(copy === undefined ? {} : { copy }),
  };
  return { column, isGone: true, isLoosened: false, isLed: false, steps: [step] };
}

/** A column whose name this one had before: the definitions are of a time before the rename. */
function findFormerName({ table, actual, column }: Place, context: PlanContext): TableColumn | undefined {
  const { was, named = was } = findMemory(context, actual.name, column.name) ?? {};
  return table.columns.find(({ name }) => named?.includes(name));
}

/** `title` of the column `article_title`. */
const toFieldName = (table: Table, column: string): string =>
  column.startsWith(`${table.name}_`) ? column.slice(table.name.length + 1) : column;

/** How to give a column its former name back. */
function adviseBack(table: Table, present: string, former: string): string {
  const field = toFieldName(table, former);
  return `${present} was renamed from ${former}, which the definitions name again. To rename it back, write "was": "${toFieldName(table, present)}" at the field ${field}, or take the rename back with treadle migrate undo. If it is of no use, drop it, keeping a copy: treadle migrate --allow-loss.`;
}

function refuseDrop(place: Place, given: number, context: PlanContext): MigrationStep {
  const { table, column } = place;
  const isUndo = context.undo !== undefined;
  const former = isUndo ? undefined : findFormerName(place, context);
  const values = given === 1 ? '1 value' : `${given} values`;
  const command = isUndo ? 'treadle migrate undo --allow-loss' : 'treadle migrate --allow-loss';
  return {
    kind: 'drop-column',
    class: 'lose',
    table: table.name,
    column: column.name,
    words: `Drop the column ${column.name} of ${table.name}, with ${values}.`,
    sql: [],
    rowsAtRisk: given,
    isNeeded: isUndo,
    refusal: createProblem(table, column.name, {
      code: 'MIGRATION_COLUMN_LEFT',
      message: isUndo
        ? `The column ${table.name}.${column.name} was created by the migration to undo, and has ${values}.`
        : `The column ${table.name}.${column.name} without a field stays, ${given === 0 ? 'and holds nothing' : `with ${values}`}.`,
      hint:
        former === undefined ? `To drop it, keeping a copy: ${command}.` : adviseBack(table, column.name, former.name),
    }),
  };
}

function loosen(
  { table, actual, column }: Place,
  { isBare, isLed }: { readonly isBare: boolean; readonly isLed: boolean },
  { dialect }: PlanContext,
): MigrationStep[] {
  const change = `alter table ${quote(actual.name)}`;
  const lines: [boolean, string, string[]][] = [
    [isBare, 'becomes optional', [`${change} alter column ${quote(column.name)} drop not null`]],
    [
      !isLed,
      'loses its foreign key',
      column.key === undefined ? [] : [`${change} drop constraint ${quote(column.key)}`],
    ],
  ];
  return lines
    .filter(([isTrue]) => isTrue)
    .map(([, words, text]) => ({
      kind: 'alter-column',
      class: 'change',
      table: table.name,
      column: column.name,
      words: `In ${table.name}, ${column.name} (without a field) ${words}.`,
      sql: dialect === 'sqlite' ? [] : text,
      rowsAtRisk: 0,
      isNeeded: true,
      isBreaking: false,
    }));
}
