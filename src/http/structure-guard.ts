import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { isStructureError } from '../database/database-error.ts';
import type { Context, Plan } from '../plan/feature.ts';
import { getStructureCheck, type StructureCheck } from '../plan/structure-check.ts';

/** Milliseconds for which a result is reused by other failing requests. */
const CACHED_MILLISECONDS = 1000;
/** `Retry-After` in seconds: about the time of a restart. */
const RETRY_SECONDS = '5';

const REMEDY = 'Another process has migrated the database: restart this one with the new definitions.';

interface CheckState {
  readonly check: StructureCheck;
  /** The check that concurrent requests share. */
  pending: Promise<boolean> | undefined;
  startedAt: number;
  isLogged: boolean;
}

/**
 * Handles statements that failed because a table or column is missing. If the tables no longer fit the plan, the
 * request is answered with 503, and the remedy is logged once.
 */
export class StructureGuard {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #known = new WeakMap<Plan, CheckState>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The error to answer with: the given one, unless the tables no longer fit. */
  async explain(error: unknown, context: Context): Promise<unknown> {
    if (!isStructureError(error)) return error;
    const known = this.#find(context);
    // If the check itself fails, the tables are assumed to fit.
    if (await this.#ask(known).catch(() => true)) {
      known.isLogged = false;
      return error;
    }
    const changed = new TreadleError('DATABASE_STRUCTURE_CHANGED', 'The tables no longer fit the definitions.', {
      status: 503,
      headers: { 'retry-after': RETRY_SECONDS },
      hint: REMEDY,
      cause: error,
    });
    if (!known.isLogged) this.#log.error('database-structure', { error: changed, hint: REMEDY });
    known.isLogged = true;
    return changed;
  }

  #find(context: Context): CheckState {
    const found = this.#known.get(context.plan);
    if (found !== undefined) return found;
    const made = { check: getStructureCheck(context), pending: undefined, startedAt: 0, isLogged: false };
    this.#known.set(context.plan, made);
    return made;
  }

  #ask(known: CheckState): Promise<boolean> {
    const age = this.#clock.now() - known.startedAt;
    // The system clock may have been set back.
    if (known.pending !== undefined && age >= 0 && age < CACHED_MILLISECONDS) return known.pending;
    known.startedAt = this.#clock.now();
    known.pending = known.check.fits();
    return known.pending;
  }
}
