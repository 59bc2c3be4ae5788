import type { Problem } from '../../core/errors.ts';
import { isDatabaseThere } from '../../database/file.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import { withDatabase } from '../database.ts';
import { listDesired } from './database.ts';

/**
 * Tables and columns without a definition, as advice. Nothing if the database does not exist yet, or cannot
 * be opened, because checking definitions needs none. Creates nothing.
 */
export async function findDrift(root: string, plan: CompiledPlan | undefined): Promise<Problem[]> {
  const url = plan?.model.settings.database.url;
  if (plan === undefined || url === undefined || !isDatabaseThere(url, root)) return [];
  try {
    const { planMigration } = await import('../../database/migration.ts');
    const { adviseOn } = await import('../../app/migrate.ts');
    return await withDatabase({ root, url, isMaking: false }, async (database) =>
      adviseOn(await planMigration(database, await listDesired(plan, database))),
    );
  } catch {
    return [];
  }
}
