import { type Clock, waitAtMost } from '../../core/clock.ts';
import { findFault, HEALTH_CHECKS, type HealthCheck, type HealthFault } from '../../database/health.ts';
import type { Context } from '../../plan/feature.ts';
import { getStructureCheck } from '../../plan/structure-check.ts';

/** Milliseconds within which the checks must end, so that a request is answered within 2 s. */
const PROBE_MILLISECONDS = 1500;
/** Milliseconds for a look at all tables: a busy server takes longer, and is no less ready. */
const LOOK_MILLISECONDS = 500;
/** Milliseconds for which a result answers every request, so that many requests cost one check. */
const KEPT_MILLISECONDS = 1000;

interface State {
  /** The check that runs, also one that hangs: no second one is begun meanwhile. */
  running: Promise<void> | undefined;
  failed: readonly HealthCheck[];
  keptAt: number;
}

function toNames(faults: readonly HealthFault[]): readonly HealthCheck[] {
  return HEALTH_CHECKS.filter((name) => faults.some(({ check }) => check === name));
}

/** Tells which checks fail, in 1.5 s at most; `read` where the database does not answer. */
export function createReadiness(context: Context): () => Promise<readonly HealthCheck[]> {
  const { database, log } = context.services;
  const clock: Clock = context.services.clock;
  const structure = getStructureCheck(context);
  const checkStructure = async (): Promise<void> => {
    if (!(await structure.fitsLately(LOOK_MILLISECONDS)))
      throw new Error('The database lacks tables or columns of the definitions.');
  };
  const state: State = { running: undefined, failed: [], keptAt: 0 };
  const keep = (failed: readonly HealthCheck[]): void => {
    state.failed = failed;
    state.keptAt = clock.now();
  };
  const check = async (): Promise<void> => {
    const faults = [...(await database.health().catch((error: unknown): HealthFault[] => [{ check: 'read', error }]))];
    // Without a database that answers, nothing is known of its structure.
    if (!faults.some((fault) => fault.check === 'read')) faults.push(...(await findFault('structure', checkStructure)));
    for (const fault of faults) log.warn('not ready', { ...fault });
    keep(toNames(faults));
    state.running = undefined;
  };
  return async () => {
    const age = clock.now() - state.keptAt;
    // The clock of the machine may have been set back.
    if (age >= 0 && age < KEPT_MILLISECONDS) return state.failed;
    const isHanging = state.running !== undefined;
    state.running ??= check();
    const { running } = state;
    await waitAtMost(clock, running, PROBE_MILLISECONDS);
    if (state.running === running) {
      if (!isHanging) log.warn('not ready', { check: 'read', message: 'The database does not answer.' });
      keep(['read']);
    }
    return state.failed;
  };
}
