import { TreadleError } from '../../core/errors.ts';
import { createExclusionSql } from '../index/exclude-rule.ts';
import type { RuleIndex, TableExclusion } from '../index/index-shape.ts';
import { createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table } from '../table.ts';
import { nameRows } from './compare-column.ts';
import type { PlanContext } from './context.ts';
import { findPeriodConflicts, type PeriodConflicts } from './overlap.ts';

/** A table, and what changes in it. */
export interface RulePair {
  readonly table: Table;
  readonly actual: ActualTable;
  /** Columns whose values are converted or filled, by future names. */
  readonly converted: ReadonlyMap<string, unknown>;
  readonly fills: ReadonlyMap<string, unknown>;
}

/** The step that makes a rule of `exclude`, in a table that has no rows yet. */
export function createRuleStep(table: string, index: RuleIndex): MigrationStep {
  const { by, from, until } = index.excludes;
  const same = by.length === 0 ? '' : ` with the same ${by.join(', ')}`;
  return {
    kind: 'create-index',
    class: 'add',
    table,
    words: `Create the rule ${index.name} on ${table}: no two rows${same} overlap from ${from} to ${until}.`,
    sql: createExclusionSql(table, index),
    rowsAtRisk: 0,
    isNeeded: true,
  };
}

const HINT = 'Change or remove one of each pair first, or leave the rule out of "exclude" of the schema.';

/** Why rows refuse a rule; undefined if they keep it. */
function describeConflicts(table: string, { from, until }: TableExclusion, conflicts: PeriodConflicts) {
  const { count, pairs, early } = conflicts;
  if (early.count > 0) {
    return {
      code: 'MIGRATION_ROWS_REVERSED',
      message: `${until} must not come before ${from}, but it does in ${nameRows(early)} of ${table}.`,
      hint: 'Correct them first, or leave the rule out of "exclude" of the schema.',
    };
  }
  if (count === 0) return undefined;
  const named = pairs.map(([one, other]) => `${one} and ${other}`).join(', ');
  const more = count > pairs.length ? `, and ${count - pairs.length} more rows` : '';
  return {
    code: 'MIGRATION_ROWS_OVERLAP',
    message: `Rows of ${table} may not overlap from ${from} to ${until}, but these do: ${named}${more}.`,
    hint: HINT,
  };
}

/** The rule by the names that the database has now; undefined if one of its columns is yet to be added or converted. */
function findPresent({ table, actual, converted, fills }: RulePair, index: RuleIndex, context: PlanContext) {
  const { excludes, only } = index;
  if (context.undo !== undefined) return undefined;
  const find = (name: string): string | undefined =>
    converted.has(name) || fills.has(name) ? undefined : context.findColumn(table.name, name);
  const [from, until, key] = [excludes.from, excludes.until, excludes.key].map(find);
  const by = excludes.by.flatMap((name) => find(name) ?? []);
  const live = only === undefined ? undefined : find(only);
  if (from === undefined || until === undefined || key === undefined) return undefined;
  if (by.length < excludes.by.length || (only !== undefined && live === undefined)) return undefined;
  return { table: actual.name, excludes: { by, from, until, key }, only: live };
}

/**
 * The step that makes a rule in a table with rows. It looks for rows that break it once more inside the transaction, where no other
 * process writes: SQLite's triggers judge only what is written after them.
 */
export async function createRule(pair: RulePair, index: RuleIndex, context: PlanContext): Promise<MigrationStep> {
  const { table } = pair;
  const { excludes, only } = index;
  const step = createRuleStep(table.name, index);
  const present = findPresent(pair, index, context);
  const conflicts = present && (await findPeriodConflicts(context.database, present));
  const problem = conflicts && describeConflicts(table.name, excludes, conflicts);
  if (conflicts !== undefined && problem !== undefined) {
    const refused = conflicts.early.count > 0 ? conflicts.early : conflicts;
    return {
      ...step,
      class: 'change',
      rowsAtRisk: refused.count,
      rows: refused.ids,
      refusal: createProblem(table, 'exclude', problem),
    };
  }
  return {
    ...step,
    isBreaking: true,
    performAfter: 0,
    async perform(database) {
      const now = await findPeriodConflicts(database, { table: table.name, excludes, only });
      const later = describeConflicts(table.name, excludes, now);
      if (later === undefined) return;
      throw new TreadleError(later.code, `${later.message} Nothing was changed.`, { status: 409, hint: later.hint });
    },
  };
}
