import { toStamp } from '../../core/clock.ts';
import { translate } from '../../core/text/translate.ts';
import { type Exchange, flash } from '../../page/exchange.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { mayChangeFiles } from './access.ts';
import { findSave } from './journal.ts';
import { createDefinitionRoute } from './room.ts';
import { requireSaveProof } from './submit.ts';
import { listSavesOf, undoSave } from './undo.ts';

/** The HTML of the last saves of some files, each with a button that undoes it. */
export async function renderSaves(
  context: Context,
  { request }: Exchange,
  { base, accepts }: { readonly base: string; readonly accepts: (file: string) => boolean },
): Promise<string> {
  const saves = await listSavesOf(context, accepts);
  return context.services.views.render('admin', 'definition/saves', {
    base,
    csrf: context.services.sessions.formToken(request),
    saves: saves.map((save) => ({ ...save, at: `${toStamp(save.savedAt * 1000)} UTC` })),
  });
}

/**
 * The route that undoes a save: POST `<base>/undo/:save`.
 *
 * @param base Start of the kind's paths, such as `/admin/system/schema`.
 * @param next Page that follows. Default: the kind's list.
 */
export const createUndoRoute = (base: string, next = `${base}/search`): RouteContribution =>
  createDefinitionRoute('POST', `${base}/undo/:save`, 'Undoes a save of definitions.', async (context, exchange) => {
    const { request, response } = exchange;
    const id = Number(request.getStage('save'));
    const save = await findSave(context.services, id);
    // One room's path must not undo what was done in another one.
    const isAllowed =
      save === undefined ||
      mayChangeFiles(
        context,
        save.files.map(({ file }) => file),
      );
    if (!isAllowed) {
      response.setStatus(403).setError(true, translate('Your account may not open this.'));
      return;
    }
    if (!requireSaveProof(context, { ...exchange, home: next })) return;
    const result = await undoSave(context, id);
    if (result?.state === 'saved') flash(exchange, translate('The change was undone.'));
    else if (result?.state === 'refused') flash(exchange, result.message, 'error');
    else if (result?.state === 'conflict') {
      flash(
        exchange,
        translate('{file} changed since, so this save cannot be undone.', { file: result.file }),
        'error',
      );
    } else flash(exchange, translate('This save cannot be undone.'), 'error');
    response.setRedirect(next);
  });
