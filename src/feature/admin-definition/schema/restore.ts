import { translate } from '../../../core/text/translate.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import type { OwnerKind } from '../owner.ts';
import { emitOwner } from './emit.ts';
import { toRoom } from './words.ts';

/** Restores a definition that was removed here. */
export const createRestoreStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const name = String(exchange.request.getStage('name'));
    const form = { ...exchange, home: `${toRoom(kind)}/search` };
    const { outcome, message } = await emitOwner(context, form, `system-${kind}-restore`, { name });
    if (outcome?.state === 'unproven') return;
    if (outcome?.state === 'saved') flash(exchange, translate('Restored {file}', { file: outcome.files.join(', ') }));
    else flash(exchange, message ?? translate('This cannot be restored.'), 'error');
    exchange.response.setRedirect(`${toRoom(kind)}/search`);
  };
