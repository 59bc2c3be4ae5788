import { toSeconds } from '../core/clock.ts';
import { type Problem, TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import { applyOwnStep, describeEdited, findEdited, findPending, type OwnStep } from '../database/own-step.ts';

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

/** What a reload reports about the steps: none runs while its file is being written. */
export async function adviseOnOwnSteps(database: Database, steps: readonly OwnStep[]): Promise<Problem[]> {
  const toAdvice = (code: string, file: string, message: string, hint: string): Problem => ({
    ...{ code, file, path: '', message, hint },
    severity: 'advice',
  });
  const waiting = (await findPending(database, steps)).map(({ file }) =>
    toAdvice(
      'MIGRATION_OWN_WAITS',
      file,
      'This step waits: it has not run yet.',
      'Run it with treadle migrate, once it is written. The next start of treadle dev runs it too.',
    ),
  );
  const edited = (await findEdited(database, steps)).map((step) =>
    toAdvice('MIGRATION_OWN_EDITED', step.file, describeEdited(step), 'See what has run: treadle migrate --dry-run.'),
  );
  return [...waiting, ...edited];
}
