import { translate } from '../../core/text/translate.ts';
import type { Context } from '../../plan/feature.ts';
import { hasOtherFiles } from './processes.ts';
import { findKindRefusal } from './reach.ts';

/**
 * Why this process may not write definitions; undefined if it may.
 *
 * @param kind Of the definition that a page is about: then also why the viewer may not change this kind.
 */
export async function findWriteRefusal(context: Context, kind = ''): Promise<string | undefined> {
  return (await findProcessRefusal(context)) ?? findKindRefusal(context, kind);
}

async function findProcessRefusal({ plan, services }: Context): Promise<string | undefined> {
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
