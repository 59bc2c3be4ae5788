import { toLocalText, translate } from '../../../core/text/translate.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { listOffers, toDataPath } from '../offer.ts';
import { toRowPath } from './choice.ts';
import { emitModel, isRemoved, type OpenRow, openRow } from './open.ts';
import { listReferred, listRelated } from './related.ts';
import { toShownFields } from './shown.ts';

const HISTORY = '/admin/history';

const toCrumbs = ({ schema, row, id }: OpenRow) => [
  { label: toLocalText(schema.plural), path: `${toDataPath(schema.name)}/search` },
  { label: toRowLabel(schema, row), path: toRowPath(schema, id) },
];

/** The page with the rows below a row; undefined where they form no tree, or the viewer may not open it. */
function toTreePath({ context, schema, id }: OpenRow): string | undefined {
  const path = `${toDataPath(schema.name)}/tree`;
  return schema.trees.length > 0 && mayOpen(context, path) ? `${path}?under=${id}` : undefined;
}

/** Shows a row: its values in their formats, the rows that it refers to, and those that refer to it. */
export async function showDetail(context: Context, exchange: Exchange): Promise<void> {
  const open = await openRow(context, exchange, 'detail');
  if (!open) return;
  const { schema, row, id } = open;
  const offer = listOffers(context, schema);
  const isGone = isRemoved(open);
  const to = (page: string, isOffered: boolean): string | undefined =>
    isOffered ? toRowPath(schema, id, page) : undefined;
  const data = {
    update: to('update', offer.update && !isGone),
    copy: to('copy', offer.create),
    remove: to('remove', offer.remove && !isGone),
    restore: to('restore', offer.restore && isGone),
    tree: toTreePath(open),
    history: mayOpen(context, HISTORY) ? `${HISTORY}?schema=${schema.name}&id=${id}` : undefined,
    isGone,
    singular: toLocalText(schema.singular),
    id,
    fields: toShownFields(schema, row, schema.row.shown, context.services.clock.now()),
    referred: await listReferred(open),
    ...(await listRelated(open)),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: toRowLabel(schema, row),
    template: 'admin/data/detail',
    data,
    actions: 'admin/data/row-actions',
    crumbs: toCrumbs(open).slice(0, 1),
    scripts: ['form'],
    styles: ['form'],
  });
}

/** The page that asks before a row is removed or restored. */
async function showQuestion(open: OpenRow, action: 'remove' | 'restore', message?: string): Promise<void> {
  const { context, exchange, schema, row, id } = open;
  const label = toRowLabel(schema, row);
  const { lists, referring } = await listRelated(open);
  const title =
    action === 'remove' ? translate('Remove {label}?', { label }) : translate('Restore {label}?', { label });
  const data = {
    message,
    isRemoval: action === 'remove',
    isSoft: schema.active !== undefined,
    action: toRowPath(schema, id, action),
    cancel: toRowPath(schema, id),
    related: [...referring, ...lists].filter(({ total }) => total > 0),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: 'admin/data/question',
    data,
    crumbs: toCrumbs(open),
    styles: ['form'],
    scripts: ['form'],
  });
}

const asking = (action: 'remove' | 'restore') =>
  async function ask(context: Context, exchange: Exchange): Promise<void> {
    const open = await openRow(context, exchange, action);
    if (open) await showQuestion(open, action);
  };

const doing = (action: 'remove' | 'restore') =>
  async function act(context: Context, exchange: Exchange): Promise<void> {
    const open = await openRow(context, exchange, action);
    if (!open) return;
    const { schema, id } = open;
    const response = await emitModel(context, `system-model-${action}`, { schema: schema.name, [schema.primary]: id });
    if (response.isError()) {
      await showQuestion(open, action, response.getMessage());
      exchange.response.setStatus(response.getStatus() >= 400 ? response.getStatus() : 422);
      return;
    }
    const values = { singular: toLocalText(schema.singular) };
    flash(
      exchange,
      action === 'remove'
        ? translate('{singular} was removed.', values)
        : translate('{singular} was restored.', values),
    );
    const isThere = action === 'restore' || schema.active !== undefined;
    exchange.response.setRedirect(isThere ? toRowPath(schema, id) : `${toDataPath(schema.name)}/search`);
  };

export const showRemove = asking('remove');
export const postRemove = doing('remove');
export const showRestore = asking('restore');
export const postRestore = doing('restore');
