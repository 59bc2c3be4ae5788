import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { isStructureFault } from '../database/fault.ts';
import type { Context, Plan } from '../plan/feature.ts';
import { getStructureCheck, type StructureCheck } from '../plan/structure-check.ts';

/** Milliseconds for which a result is reused by other failing requests. */
const KEPT_MILLISECONDS = 1000;
/** `Retry-After` in seconds: about the time of a restart. */
const RETRY_SECONDS = '5';

const REMEDY = 'Another process has migrated the database: restart this one with the new definitions.';

interface CheckState {
  readonly check: StructureCheck;
  /** The check that concurrent requests share. */
  asked: Promise<boolean> | undefined;
  askedAt: number;
  isTold: boolean;
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
    if (!isStructureFault(error)) return error;
    const known = this.#find(context);
    // If the check itself fails, the tables are assumed to fit.
    if (await this.#ask(known).catch(() => true)) {
      known.isTold = false;
      return error;
    }
    const told = new TreadleError('DATABASE_STRUCTURE_CHANGED', 'The tables no longer fit the definitions.', {
      status: 503,
      headers: { 'retry-after': RETRY_SECONDS },
      hint: REMEDY,
      cause: error,
    });
    if (!known.isTold) this.#log.error('database-structure', { error: told, hint: REMEDY });
    known.isTold = true;
    return told;
  }

  #find(context: Context): CheckState {
    const found = this.#known.get(context.plan);
    if (found !== undefined) return found;
    const made = { check: getStructureCheck(context), asked: undefined, askedAt: 0, isTold: false };
    this.#known.set(context.plan, made);
    return made;
  }

  #ask(known: CheckState): Promise<boolean> {
    const age = this.#clock.now() - known.askedAt;
    // The system clock may have been set back.
    if (known.asked !== undefined && age >= 0 && age < KEPT_MILLISECONDS) return known.asked;
    known.askedAt = this.#clock.now();
    known.asked = known.check.fits();
    return known.asked;
  }
}
