import type { Problem } from '../../core/errors.ts';
import { isDatabaseThere } from '../../database/file.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import { withDatabase } from '../database.ts';
import { listDesired } from './database.ts';

/**
 * What the database has and the definitions do not, as advice. Nothing where there is no database yet, or none that can
 * be opened: who looks at definitions needs none. Makes nothing.
 */
export async function findDrift(root: string, plan: CompiledPlan | undefined): Promise<Problem[]> {
  const url = plan?.model.settings.database.url;
  if (plan === undefined || url === undefined || !isDatabaseThere(url, root)) return [];
  try {
    const { planMigration } = await import('../../database/migration.ts');
    const { adviseOn } = await import('../../runtime/migrate.ts');
    return await withDatabase({ root, url, isMaking: false }, async (database) =>
      adviseOn(await planMigration(database, await listDesired(plan, database))),
    );
  } catch {
    return [];
  }
}
