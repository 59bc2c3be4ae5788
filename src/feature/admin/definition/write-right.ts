import { translate } from '../../../core/translate.ts';
import type { Context } from '../../../plan/feature.ts';

/** Why this process may not write definitions; undefined if it may. */
export async function findWriteRefusal({ plan }: Context): Promise<string | undefined> {
  if (plan.isDevelopment || plan.model.settings.admin.write) return undefined;
  return translate(
    'This server shows definitions and does not change them. Change them where "treadle dev" runs and deploy the files, or set "admin.write" in config/settings.json.',
  );
}
