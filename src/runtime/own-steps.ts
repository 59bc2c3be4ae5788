import { toSeconds } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { applyOwnStep, findPending, type OwnStep } from '../database/own-step.ts';

interface OwnSteps {
  readonly database: Database;
  readonly steps: readonly OwnStep[];
  readonly log: Pick<Log, 'info'>;
}

/** Runs the steps that did not run yet, in order. @throws MIGRATION_OWN_STEP */
export async function runOwnSteps({ database, steps, log }: OwnSteps): Promise<readonly OwnStep[]> {
  const pending = await findPending(database, steps);
  for (const step of pending) {
    await applyOwnStep(database, step, toSeconds(Date.now()));
    log.info(`Database: ran ${step.file}.`);
  }
  return pending;
}

/** @throws DATABASE_BEHIND if a step did not run yet */
export async function checkOwnSteps(database: Database, steps: readonly OwnStep[]): Promise<void> {
  const pending = await findPending(database, steps);
  if (pending.length === 0) return;
  const files = pending.map(({ file }) => file).join(', ');
  throw new TreadleError('DATABASE_BEHIND', `The database lacks what these steps do: ${files}`, {
    hint: 'Review it with treadle migrate --dry-run, then run treadle migrate.',
  });
}
