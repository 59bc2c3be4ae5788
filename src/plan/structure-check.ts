import { waitAtMost } from '../core/clock.ts';
import { planMigration } from '../database/migration.ts';
import { isServing } from '../database/migration-step.ts';
import { toTables } from '../database/table.ts';
import type { Context, Plan } from './feature.ts';

/** Whether the database still has what a plan needs: another process may have migrated it. */
export interface StructureCheck {
  /** Looks at the tables again where they were changed since the last look. */
  fits(): Promise<boolean>;
  /** As {@link StructureCheck.fits}; the last result where the look takes longer than so many milliseconds. */
  fitsLately(milliseconds: number): Promise<boolean>;
}

/** One for a plan, so that readiness knows at once what a failed request has found. */
const checks = new WeakMap<Plan, StructureCheck>();

export function getStructureCheck(context: Context): StructureCheck {
  const found = checks.get(context.plan);
  if (found !== undefined) return found;
  const made = createStructureCheck(context);
  checks.set(context.plan, made);
  return made;
}

/** A start has looked at the tables itself: they fit until a look finds otherwise. */
function createStructureCheck({ plan, services }: Context): StructureCheck {
  const { database, clock } = services;
  const known = { version: '', fits: true };
  const state: { look: Promise<void> | undefined } = { look: undefined };
  const look = async (version: string): Promise<void> => {
    const tables = toTables(plan.model, plan.tables, { dialect: database.dialect });
    known.fits = isServing(await planMigration(database, tables));
    known.version = version;
  };
  /** Leaves the look under way in `state`, or a new one where the tables were changed. */
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
      // What fails after that time is told by the next look.
      running?.catch(() => {});
      if (running !== undefined) await waitAtMost(clock, running, milliseconds);
      return known.fits;
    },
  };
}
