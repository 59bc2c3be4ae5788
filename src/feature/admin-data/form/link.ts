import type { Response } from '../../../core/request/response.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { type Exchange, flash, toHere } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { findSchema } from '../find-schema.ts';
import { toDataPath } from '../offer.ts';
import { findChoices, toRowPath } from './choice.ts';
import { emitModel, type OpenRow, openRow } from './open.ts';
import { findCreatePath } from './picker.ts';

/** A row and the schema of the rows to link it with. */
interface OpenPair extends OpenRow {
  readonly other: SchemaModel;
  /** Name of the relation, where the schemas have several. */
  readonly relation: string | undefined;
}

async function openPair(context: Context, exchange: Exchange): Promise<OpenPair | undefined> {
  const open = await openRow(context, exchange, 'detail', { schema: 'schema1', id: 'id' });
  if (!open) return undefined;
  const other = findSchema(context, exchange, 'schema2');
  if (other === undefined) return undefined;
  const relation = exchange.request.getGet('relation');
  return { ...open, other, relation: typeof relation === 'string' && relation !== '' ? relation : undefined };
}

/** Emits a link or an unlink of the row with another one. */
function emitPair(
  { context, schema, other, id, relation }: OpenPair,
  verb: 'link' | 'unlink',
  to: unknown,
): Promise<Response> {
  const isSelf = schema === other;
  const ids = isSelf
    ? { [`${schema.primary}_1`]: id, [`${schema.primary}_2`]: to }
    : { [schema.primary]: id, [other.primary]: to };
  const named = relation === undefined ? {} : { relation };
  return emitModel(context, `system-relation-${verb}`, { schema1: schema.name, schema2: other.name, ...named, ...ids });
}

/** Shows the page that chooses a row to link. */
async function showChoice(open: OpenPair, message?: string): Promise<void> {
  const { context, exchange, schema, row, id, other } = open;
  const asked = exchange.request.isMethod('POST') ? exchange.request.getPost('q') : exchange.request.getGet('q');
  const q = typeof asked === 'string' ? asked : '';
  const found = await findChoices(context, other, q);
  const label = toRowLabel(schema, row);
  const data = {
    here: exchange.request.getPath('string'),
    relation: open.relation,
    action: toHere(exchange.request),
    message: message ?? found.fault,
    q,
    plural: toLocalText(other.plural),
    singular: toLocalText(other.singular),
    chosen: exchange.request.getPost('to'),
    choices: found.choices.map((choice) => ({ ...choice, path: toRowPath(other, choice.id) })),
    createPath: findCreatePath(context, other),
    cancel: toRowPath(schema, id),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Link {label} with {rows}', { label, rows: toLocalText(other.plural) }),
    template: 'admin/data/link',
    data,
    crumbs: [
      { label: toLocalText(schema.plural), path: `${toDataPath(schema.name)}/search` },
      { label, path: toRowPath(schema, id) },
    ],
    scripts: ['form'],
    styles: ['form'],
  });
}

export async function showLink(context: Context, exchange: Exchange): Promise<void> {
  const open = await openPair(context, exchange);
  if (open) await showChoice(open);
}

/** Answers a link or an unlink: back to the row, or the page again with the reason. */
async function answer(open: OpenPair, response: Response, text: string): Promise<void> {
  const { exchange, schema, id } = open;
  if (response.isError()) {
    await showChoice(open, response.getMessage());
    exchange.response.setStatus(response.getStatus() >= 400 ? response.getStatus() : 422);
    return;
  }
  flash(exchange, text);
  exchange.response.setRedirect(toRowPath(schema, id));
}

export async function postLink(context: Context, exchange: Exchange): Promise<void> {
  const open = await openPair(context, exchange);
  if (!open) return;
  const to = exchange.request.getPost('to');
  if (typeof to !== 'string' || to === '') {
    await showChoice(open, translate('Choose a row to link.'));
    exchange.response.setStatus(422);
    return;
  }
  return answer(open, await emitPair(open, 'link', to), translate('Linked.'));
}

export async function postUnlink(context: Context, exchange: Exchange): Promise<void> {
  const open = await openPair(context, exchange);
  if (!open) return;
  const to = exchange.request.getParameters('id2');
  return answer(
    open,
    await emitPair(open, 'unlink', to),
    translate('The link was removed. Both rows are still there.'),
  );
}
