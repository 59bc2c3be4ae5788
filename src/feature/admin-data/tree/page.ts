import { getAccess } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import type { SchemaModel, TreeModel } from '../../../model/model.ts';
import type { Crumb } from '../../../page/admin-frame.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { toRowPath } from '../form/choice.ts';
import { emitModel } from '../form/open.ts';
import { openSchema } from '../list/open.ts';
import { listNodes } from './nodes.ts';
import { findBelow, findOpenTree, toAddress, toTreeLabel, toTreeQuery } from './open.ts';

/** Whether the viewer may move rows of a schema: the key of the parent must be theirs to write. */
function mayMove(context: Context, schema: SchemaModel, { column }: TreeModel): boolean {
  const grant = getAccess().grant(schema.name, 'update');
  if (grant === undefined || getAccess().grant(schema.name, 'detail') === undefined) return false;
  const isWritable =
    grant.rules?.some(({ write }) => write?.has(column) !== false) ?? grant.write?.has(column) !== false;
  return isWritable && mayOpen(context, toRowPath(schema, 1, 'move'), 'POST');
}

/** The row that the tree begins with, and those above it. Undefined if there is no such row, or the viewer does not see it. */
async function readTop(context: Context, schema: SchemaModel, tree: TreeModel, id: number): Promise<Row | undefined> {
  const stage = { schema: schema.name, [schema.primary]: id, expand: [`${tree.name}.above`] };
  const response = await emitModel(context, 'system-model-detail', stage);
  return response.isError() ? undefined : (response.getResults() as Row);
}

interface OpenTop {
  readonly schema: SchemaModel;
  readonly tree: TreeModel;
  readonly top: Row | undefined;
  readonly treePath: string;
}

/** Rows above that a page names: of a deep tree the first and the nearest. */
const MOST_CRUMBS = 6;

/** The rows above the one that the tree begins with. */
function listCrumbs({ schema, tree, top, treePath }: OpenTop): Crumb[] {
  const query = toTreeQuery(schema, tree);
  const above = (top?.[`${tree.name}_above`] ?? []) as readonly Row[];
  const left = above.length > MOST_CRUMBS ? above.length - MOST_CRUMBS : 0;
  const crumbs = above
    .filter((_, index) => index === 0 || index >= left)
    .map((row, index) => ({
      label: index === 1 && left > 1 ? `… ${toRowLabel(schema, row)}` : toRowLabel(schema, row),
      path: toAddress(treePath, query, `under=${String(row[schema.primary])}`),
    }));
  const root = { label: translate('Tree'), path: toAddress(treePath, query) };
  return top === undefined ? [] : [root, ...crumbs];
}

/** Shows the rows of a schema as a tree. */
export async function showTree(context: Context, exchange: Exchange): Promise<void> {
  const open = openSchema(context, exchange);
  const tree = open && findOpenTree(open.schema, exchange);
  if (open === undefined || tree === undefined) return;
  const { schema, base, offer } = open;
  const text = toPlain(exchange.request.getGet('under'));
  const top = /^\d{1,15}$/.test(text) ? await readTop(context, schema, tree, Number(text)) : undefined;
  if (text !== '' && top === undefined) {
    const values = { singular: toLocalText(schema.singular), id: text.slice(0, 20) };
    const message = translate('There is no {singular} {id}, or your role does not show it.', values);
    return void exchange.response.setStatus(404).setError(true, message);
  }
  const treePath = `${base}/tree`;
  const query = toTreeQuery(schema, tree);
  const under = top === undefined ? null : Number(top[schema.primary]);
  const [after, before] = [toPlain(exchange.request.getGet('after')), toPlain(exchange.request.getGet('before'))];
  const cursor = after !== '' ? { after } : before === '' ? {} : { before };
  const limit = context.plan.model.settings.limits.pageRows;
  const found = await findBelow(context, { schema, tree, under, limit, more: { ...cursor, total: 1 } });
  if (found.message !== undefined) exchange.response.setStatus(400);
  const csrf = context.services.sessions.formToken(exchange.request);
  const isMovable = mayMove(context, schema, tree);
  const node = { context, schema, tree, treePath, isOpen: offer.detail, isMovable, csrf };
  const ends = { isStart: found.previous === undefined, isEnd: found.next === undefined };
  const at = under === null ? '' : `under=${under}`;
  const toPage = (name: string, cursorText: string | undefined): string | undefined =>
    cursorText === undefined ? undefined : toAddress('', query, at, `${name}=${encodeURIComponent(cursorText)}`);
  const label = top === undefined ? undefined : toRowLabel(schema, top);
  const data = {
    base,
    schema: { singular: toLocalText(schema.singular), plural: toLocalText(schema.plural) },
    message: found.message,
    rows: await listNodes(node, found.rows, ends),
    total: found.total,
    listPath: `${base}/search${under === null ? '' : `?filter[${tree.column}][below]=${under}`}`,
    createPath: offer.create ? toAddress(`${base}/create`, under === null ? '' : `${tree.column}=${under}`) : undefined,
    previous: toPage('before', found.previous),
    next: toPage('after', found.next),
    trees:
      schema.trees.length < 2
        ? []
        : schema.trees.map((own) => ({
            label: toTreeLabel(own),
            path: toAddress(treePath, toTreeQuery(schema, own)),
            isCurrent: own === tree,
          })),
    top: label,
    under: under ?? '',
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: label ?? translate('Tree of {rows}', { rows: toLocalText(schema.plural) }),
    crumbs: [
      { label: toLocalText(schema.plural), path: `${base}/search` },
      ...listCrumbs({ schema, tree, top, treePath }),
    ],
    current: base,
    actions: 'admin/data/tree-actions',
    template: 'admin/data/tree',
    data,
  });
}
