import { countRows, isApplicable, type MigrationPlan, type MigrationStep } from '../migration-step.ts';

/** Tables that a migration created may have rows by now: without permission an undo does not drop them. */
export function holdLosses(plan: MigrationPlan): MigrationPlan {
  const steps = plan.steps.map((step): MigrationStep => {
    if (step.class !== 'lose' || step.rowsAtRisk === 0 || !isApplicable(step)) return step;
    const { table, rowsAtRisk } = step;
    const refusal = {
      code: 'MIGRATION_TABLE_LEFT',
      file: 'database',
      path: table,
      message: `${table} would lose ${countRows(rowsAtRisk)}. ${step.words}`,
      hint: 'To drop them and keep a copy: treadle migrate undo --allow-loss.',
    };
    return { ...step, isNeeded: true, refusal };
  });
  return { ...plan, steps, problems: steps.flatMap(({ refusal }) => refusal ?? []) };
}
