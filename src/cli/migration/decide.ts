import { TreadleError } from '../../core/errors.ts';
import type { Database } from '../../database/database.ts';
import type { PlanOptions } from '../../database/migration/prepare.ts';
import type { MigrationResult } from '../../database/migration.ts';
import { isApplicable, isBlocked, type MigrationPlan, type MigrationStep } from '../../database/migration-step.ts';
import { createRefusal } from '../failure.ts';
import type { Invocation } from '../spec.ts';
import { isLeft, printDrift, printLeft, printRefused, printSteps } from './print.ts';

/** Permission to lose data, and values for empty fields, from flags and answers. */
export interface MigrationConsent {
  allowLoss: boolean;
  readonly defaults: Map<string, string>;
}

/** Makes a plan with the given permissions. @throws MIGRATION_DEFAULT_INVALID */
type MakePlan<T> = (options: PlanOptions) => Promise<T>;

interface PlannedMigration {
  readonly plan: MigrationPlan;
}

/** Plans with the given permissions and applies the plan; a dry run only plans. @throws CLI_DECLINED as {@link decide}. */
export async function planAndApply<T extends PlannedMigration>(
  invocation: Invocation,
  database: Database,
  leave: MigrationConsent,
  make: MakePlan<T>,
): Promise<T & MigrationResult> {
  const { applyMigration, replan } = await import('../../database/migration.ts');
  return replan(
    () => decide(invocation, leave, make),
    async ({ plan }): Promise<MigrationResult> =>
      invocation.isDryRun ? { applied: [], refused: plan.steps.filter(isHeld) } : applyMigration(database, plan),
  );
}

/**
 * Plans. At a terminal it asks for missing values, shows the plan, and asks before steps that change or lose data.
 * `--yes` confirms changes, never a loss.
 *
 * @throws CLI_DECLINED if the user declines.
 */
async function decide<T extends PlannedMigration>(
  invocation: Invocation,
  leave: MigrationConsent,
  make: MakePlan<T>,
): Promise<T> {
  const { prompt, isDryRun, isForced, terminal } = invocation;
  if (!prompt || isDryRun) return make(leave);
  let made = await askForDefaults(invocation, leave, make);
  const say = (): void => {
    const { plan } = made;
    const lines = [
      ...printSteps(plan.steps.filter(isApplicable), { isDone: false }),
      ...printRefused(plan.steps.filter((step) => isHeld(step) && !isLeft(step))),
      ...printLeft(plan.steps.filter(isLeft)),
    ];
    for (const line of [...lines, ...printDrift(plan)]) terminal.say(line);
  };
  if (made.plan.steps.some((step) => !isLeft(step))) say();
  if (!leave.allowLoss && !isForced && made.plan.steps.some(isLoss)) {
    leave.allowLoss = await prompt.confirm('Also apply the steps that lose data? Copies are kept.', false);
    if (leave.allowLoss) {
      made = await askForDefaults(invocation, leave, make);
      say();
    }
  }
  const asking = made.plan.steps.filter((step) => isApplicable(step) && step.class !== 'add');
  if (isForced || isBlocked(made.plan) || asking.length === 0) return made;
  if (!(await prompt.confirm('Do it?', !asking.some((step) => step.class === 'lose')))) throw createRefusal();
  return made;
}

const isHeld = (step: MigrationStep): boolean => !isApplicable(step);

/** A step that --allow-loss would permit. */
const isLoss = (step: MigrationStep): boolean => isHeld(step) && step.class === 'lose' && !isLeft(step);

async function askForDefaults<T extends PlannedMigration>(
  invocation: Invocation,
  leave: MigrationConsent,
  make: MakePlan<T>,
): Promise<T> {
  const { prompt } = invocation;
  const prompted = new Set<string>();
  let made = await make(leave);
  for (;;) {
    const step = made.plan.steps.find(({ asks, refusal }) => refusal && asks !== undefined && !prompted.has(asks));
    if (!prompt || step?.asks === undefined) return made;
    const { asks, refusal } = step;
    const message = `${refusal?.message ?? step.words} A value for ${asks} (leave empty to skip this step):`;
    const text = await prompt.text(message, { isOptional: true });
    prompted.add(asks);
    if (text === '') continue;
    leave.defaults.set(asks, text);
    try {
      made = await make(leave);
    } catch (error) {
      if (!(error instanceof TreadleError) || error.code !== 'MIGRATION_DEFAULT_INVALID') throw error;
      invocation.terminal.say([error.message, error.hint].join(' '));
      leave.defaults.delete(asks);
      prompted.delete(asks);
    }
  }
}
