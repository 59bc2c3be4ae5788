import { translate } from '../../../core/translate.ts';
import type { Pair } from '../../../developer/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { showInAdmin } from '../frame.ts';

/** Shows the first page of the admin section. */
export async function showOverview(context: Context, pair: Pair): Promise<void> {
  showInAdmin(context, pair, { title: translate('Overview'), current: '/admin', body: '' });
}
