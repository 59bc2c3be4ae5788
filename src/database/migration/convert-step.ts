import { TreadleError } from '../../core/errors.ts';
import type { MigrationStep } from '../migration-step.ts';
import { type Conversion, keepValues } from './convert.ts';

/** The data changed since the plan was made. */
export function staleError(): TreadleError {
  return new TreadleError('MIGRATION_STALE', 'The database changed since the migration was planned.', {
    hint: 'Plan it again: another process may have migrated, or written, in the meantime.',
  });
}

export interface KeepingValues {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly conversion: Conversion;
  readonly copy: string | undefined;
}

/**
 * A step that reads every value again inside the transaction, copies those that change, and writes the
 * converted ones.
 */
export function keepValuesStep(step: MigrationStep, { before, after, conversion, copy }: KeepingValues): MigrationStep {
  return {
    ...step,
    sql: [...before, ...after],
    performAfter: before.length,
    async perform(database) {
      if (!(await keepValues(database, conversion, copy))) throw staleError();
    },
  };
}
