import { translate } from '../../../core/text/translate.ts';
import { flash, type Pair } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import type { OwnerKind } from '../owner.ts';
import { emitOwner } from './emit.ts';
import { toRoom } from './words.ts';

/** Restores a definition that was removed here. */
export const createRestoreStep =
  (kind: OwnerKind) =>
  async (context: Context, pair: Pair): Promise<void> => {
    const name = String(pair.request.getStage('name'));
    const form = { ...pair, home: `${toRoom(kind)}/search` };
    const { outcome, message } = await emitOwner(context, form, `system-${kind}-restore`, { name });
    if (outcome?.state === 'unproven') return;
    if (outcome?.state === 'saved') flash(pair, translate('Restored {file}', { file: outcome.files.join(', ') }));
    else flash(pair, message ?? translate('This cannot be restored.'), 'error');
    pair.response.setRedirect(`${toRoom(kind)}/search`);
  };
