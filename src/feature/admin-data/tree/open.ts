import { getAccess } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel, TreeModel } from '../../../model/model.ts';
import { toLabelText } from '../../../model/names.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { emitModel } from '../form/open.ts';

/** The tree that the address names, or the schema's first. Answers 404 and gives undefined if there is none. */
export function findOpenTree(schema: SchemaModel, { request, response }: Exchange): TreeModel | undefined {
  const name = request.getGet('relation');
  const tree =
    typeof name === 'string' && name !== '' ? schema.trees.find((own) => own.name === name) : schema.trees[0];
  if (tree === undefined) response.setStatus(404).setError(true, translate('These rows form no tree of that name.'));
  return tree;
}

/** The query that names a tree; empty for the only one of a schema. */
export const toTreeQuery = ({ trees }: SchemaModel, { name }: TreeModel): string =>
  trees.length > 1 ? `relation=${encodeURIComponent(name)}` : '';

/** A path with the parts of its query that are not empty. */
export function toAddress(path: string, ...parts: readonly string[]): string {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

export const toTreeLabel = ({ name }: TreeModel): string => toLabelText(name);

/** The column that a tree is in the order of, if the viewer may sort by it. */
export function findOrder({ name }: SchemaModel, { order }: TreeModel): string | undefined {
  const grant = getAccess().grant(name, 'search');
  const sure = grant?.sure ?? grant?.read;
  return order === undefined || sure?.has(order) === false ? undefined : order;
}

/** A page of the rows below another, in their order. */
export interface Siblings {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
  readonly previous: string | undefined;
  readonly total: number | undefined;
  /** Why they could not be read. */
  readonly message: string | undefined;
}

interface SiblingSearch {
  readonly schema: SchemaModel;
  readonly tree: TreeModel;
  /** Keys of the rows above; null for the rows that have none. */
  readonly under: number | readonly number[] | null;
  readonly limit: number;
  readonly more?: Row;
}

/** Reads rows below others, as the viewer may see them. */
export async function findBelow(context: Context, search: SiblingSearch): Promise<Siblings> {
  const { schema, tree, under, limit, more = {} } = search;
  const order = findOrder(schema, tree);
  const response = await emitModel(context, 'system-model-search', {
    schema: schema.name,
    filter: { [tree.column]: under },
    ...(order === undefined ? {} : { sort: order }),
    ...{ limit, total: 0 },
    ...more,
  });
  const text = (key: string): string | undefined => {
    const value = response.getResults(key);
    return typeof value === 'string' ? value : undefined;
  };
  const total = response.getResults('total');
  return {
    rows: (response.getResults('rows') ?? []) as Row[],
    next: text('next'),
    previous: text('previous'),
    total: typeof total === 'number' ? total : undefined,
    message: response.isError() ? response.getMessage() : undefined,
  };
}

/** How many rows are right below each of these. */
export async function countBelow(
  context: Context,
  { name }: SchemaModel,
  { column }: TreeModel,
  keys: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (keys.length === 0) return new Map();
  const stage = { schema: name, filter: { [column]: keys }, group: [column], count: 1, limit: keys.length, total: 0 };
  const response = await emitModel(context, 'system-model-search', stage);
  const rows = (response.getResults('rows') ?? []) as Row[];
  return new Map(rows.map((row) => [Number(row[column]), Number(row.count)]));
}
