import { waitAtMost } from '../core/clock.ts';
import { planMigration } from '../database/migration.ts';
import { isServing } from '../database/migration-step.ts';
import { createTables } from '../database/table.ts';
import type { Context } from './feature.ts';

/** Checks whether the database still has what the plan needs: another process may have migrated it. */
export interface StructureCheck {
  /** Checks the tables again if they were changed since the last check. */
  fits(): Promise<boolean>;
  /** As {@link StructureCheck.fits}, but gives the last result if the check takes longer than this. */
  fitsLately(milliseconds: number): Promise<boolean>;
}

/** One per plan, so that readiness knows what a failed request has found. */
const createChecks = (): { made?: StructureCheck } => ({});

export function getStructureCheck(context: Context): StructureCheck {
  const checks = context.memory.get(createChecks);
  checks.made ??= createStructureCheck(context);
  return checks.made;
}

/** Assumes that the tables fit, because the start has checked them. */
function createStructureCheck({ plan, services }: Context): StructureCheck {
  const { database, clock } = services;
  const known = { version: '', fits: true };
  const state: { look: Promise<void> | undefined } = { look: undefined };
  const look = async (version: string): Promise<void> => {
    const tables = createTables(plan.model, plan.tables, { dialect: database.dialect });
    known.fits = isServing(await planMigration(database, tables));
    known.version = version;
  };
  /** Starts a check, kept in `state`, unless one is running or the tables are unchanged. */
  const begin = async (): Promise<void> => {
    const version = await database.structureVersion();
    if (version === known.version) return;
    state.look ??= look(version).finally(() => {
      state.look = undefined;
    });
  };
  return {
    async fits() {
      await begin();
      await state.look;
      return known.fits;
    },
    async fitsLately(milliseconds) {
      await begin();
      const running = state.look;
      // The next check reports a failure after the time-out.
      running?.catch(() => {});
      if (running !== undefined) await waitAtMost(clock, running, milliseconds);
      return known.fits;
    },
  };
}
