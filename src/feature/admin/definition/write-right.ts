import { translate } from '../../../core/translate.ts';
import type { Context } from '../../../plan/feature.ts';
import { hasOtherFiles } from './processes.ts';

/** Why this process may not write definitions; undefined if it may. */
export async function findWriteRefusal({ plan, services }: Context): Promise<string | undefined> {
  if (plan.isDevelopment) return undefined;
  if (!plan.model.settings.admin.write) {
    return translate(
      'This server shows definitions and does not change them. Change them where "treadle dev" runs and deploy the files, or set "admin.write" in config/settings.json.',
    );
  }
  if (!(await hasOtherFiles(services))) return undefined;
  return translate(
    'Another process serves this database from other files, which a change here would not reach. Change the definitions where "treadle dev" runs, and deploy the files.',
  );
}
