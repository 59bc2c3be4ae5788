import { type Clock, waitAtMost } from '../../core/clock.ts';
import { type FailedCheck, findFailure, HEALTH_CHECKS, type HealthCheck } from '../../database/health.ts';
import type { Context } from '../../plan/feature.ts';
import { getStructureCheck } from '../../plan/structure-check.ts';

/** Maximum milliseconds for the checks, so that a request is answered within 2 s. */
const PROBE_MILLISECONDS = 1500;
/** Maximum milliseconds to check all tables. A busy server takes longer, which does not make it less ready. */
const LOOK_MILLISECONDS = 500;
/** Milliseconds for which a result is reused, so that many requests cost one check. */
const CACHED_MILLISECONDS = 1000;

interface State {
  /** The running check, even if it hangs: no second one starts meanwhile. */
  running: Promise<void> | undefined;
  failed: readonly HealthCheck[];
  cachedAt: number;
}

function toNames(errors: readonly FailedCheck[]): readonly HealthCheck[] {
  return HEALTH_CHECKS.filter((name) => errors.some(({ check }) => check === name));
}

/** Returns the failed checks, within 1.5 s; `read` if the database does not answer. */
export function createReadiness(context: Context): () => Promise<readonly HealthCheck[]> {
  const { database, log } = context.services;
  const clock: Clock = context.services.clock;
  const structure = getStructureCheck(context);
  const checkStructure = async (): Promise<void> => {
    if (!(await structure.fitsLately(LOOK_MILLISECONDS)))
      throw new Error('The database lacks tables or columns of the definitions.');
  };
  const state: State = { running: undefined, failed: [], cachedAt: 0 };
  const store = (failed: readonly HealthCheck[]): void => {
    state.failed = failed;
    state.cachedAt = clock.now();
  };
  const check = async (): Promise<void> => {
    const errors = [...(await database.health().catch((error: unknown): FailedCheck[] => [{ check: 'read', error }]))];
    // The structure is unknown if the database does not answer.
    if (!errors.some((fault) => fault.check === 'read'))
      errors.push(...(await findFailure('structure', checkStructure)));
    for (const fault of errors) log.warn('not ready', { ...fault });
    store(toNames(errors));
    state.running = undefined;
  };
  return async () => {
    const age = clock.now() - state.cachedAt;
    // The system clock may have been set back.
    if (age >= 0 && age < CACHED_MILLISECONDS) return state.failed;
    const isHanging = state.running !== undefined;
    state.running ??= check();
    const { running } = state;
    await waitAtMost(clock, running, PROBE_MILLISECONDS);
    if (state.running === running) {
      if (!isHanging) log.warn('not ready', { check: 'read', message: 'The database does not answer.' });
      store(['read']);
    }
    return state.failed;
  };
}
