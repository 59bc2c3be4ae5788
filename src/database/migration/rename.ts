import { createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table } from '../table.ts';
import { quote } from '../table-sql.ts';
import type { PlanContext } from './context.ts';
import { orderRenames, type Rename } from './match.ts';

const base = { class: 'change', rowsAtRisk: 0, isNeeded: true, isBreaking: true } as const;
const isTemporary = (name: string): boolean => name.startsWith('treadle_move_');

/** Column renames, under the table's present name. */
export function planRenames(table: Table, actual: ActualTable, renames: readonly Rename[], context: PlanContext): void {
  for (const { from, to } of orderRenames(renames, (index) => `treadle_move_${index}`)) {
    const said = isTemporary(to) ? `${to} for now, because that name is in use` : to;
    context.draft.phases.rename.push({
      ...base,
      kind: 'rename-column',
      table: table.name,
      column: to,
      words: `Rename the column ${from} of ${actual.name} to ${said}.`,
      sql: [`alter table ${quote(actual.name)} rename column ${quote(from)} to ${quote(to)}`],
    });
  }
}

/** Table renames; foreign keys and indexes follow. */
export function planTableRenames(context: PlanContext): void {
  const renames = context.wanted.flatMap(({ name }) => {
    const from = context.findTable(name);
    return from === undefined ? [] : [{ from, to: name }];
  });
  for (const { from, to } of orderRenames(renames, (index) => `treadle_move_${index}`)) {
    const said = isTemporary(to) ? `${to} for now, because that name is in use` : to;
    const step: MigrationStep = {
      ...base,
      kind: 'rename-table',
      table: to,
      words: `Rename the table ${from} to ${said}.`,
      sql: [`alter table ${quote(from)} rename to ${quote(to)}`],
    };
    context.draft.phases.rename.push(step);
  }
}

/** A name in use that another table or column shall get. */
interface TakenName {
  readonly name: string;
  readonly was: string;
  readonly isTable: boolean;
  /** Location in the definition file. */
  readonly path: string;
}

/** Refuses a rename to a name in use. */
export function refuseTaken(
  table: Table,
  taken: TakenName,
  counts: { readonly there: number; readonly coming: number; readonly isNeeded: boolean },
): MigrationStep {
  const { name, was, isTable, path } = taken;
  const noun = isTable ? 'rows' : 'values';
  return {
    kind: isTable ? 'rename-table' : 'rename-column',
    class: 'lose',
    table: table.name,
    ...(isTable ? {} : { column: name }),
    words: `Rename the ${isTable ? 'table' : 'column'} ${was} to ${name}, replacing what has that name.`,
    sql: [],
    rowsAtRisk: counts.there,
    isNeeded: counts.isNeeded,
    refusal: createProblem(table, path, {
      code: 'MIGRATION_RENAME_TAKEN',
      message: `Both ${was} (${counts.coming} ${noun}) and ${name} (${counts.there} ${noun}) exist, so ${was} cannot become ${name}.`,
      hint: `If the rename is done, remove "was". If not, drop ${name}, keeping a copy: treadle migrate --allow-loss.`,
    }),
  };
}
