import { toDidYouMean } from '../../core/text/suggest.ts';
import { createComparedColumn } from '../filter/compared-column.ts';
import type { ColumnModel, RelationModel, TreeModel } from '../model.ts';
import type { Relation } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

/** True for a field with whole numbers, which the children of a row can be in the order of. Flags have none, and no move writes what is computed. */
export const hasWholeNumbers = ({ field, computed }: Pick<ColumnModel, 'field' | 'computed'>): boolean =>
  computed === undefined && createComparedColumn({ field }).isWhole === true;

const isTree = ({ definition: { tree }, kind, source, target }: RelationModel): boolean =>
  tree === true && source === target && (kind === '1:0' || kind === '1:N');

/** The trees of a schema. */
export function listTrees({ relations, columns }: SchemaDraft): readonly TreeModel[] {
  return relations.filter(isTree).map((relation) => {
    const { name, sourceColumn, targetColumn, definition } = relation;
    const order = columns.find(({ field }) => field.name === definition.order)?.name;
    return Object.freeze({ name, column: targetColumn ?? sourceColumn ?? '', order, relation });
  });
}

function findTreeError(
  draft: SchemaDraft,
  { kind, schema }: Relation,
): { readonly message: string; readonly hint: string } | undefined {
  if (schema !== draft.name) {
    const message = `A relation of "${draft.name}" to "${schema}" cannot be a tree: the rows of one schema are below each other.`;
    return { message, hint: `Leave "tree" out, or let the relation lead to "${draft.name}".` };
  }
  if (kind === '1:0' || kind === '1:N') return undefined;
  const message = `A ${kind} cannot be a tree: a row has one parent, and the first row has none.`;
  return { message, hint: 'Make it 1:0, which names the parent, or 1:N, which names the children.' };
}

function findOrderError(
  { columns, name: schema }: SchemaDraft,
  { tree, order = '' }: Relation,
): { readonly message: string; readonly hint: string } | undefined {
  const column = columns.find(({ field }) => field.name === order);
  if (tree !== true) {
    const message = '"order" sorts the children of a tree, and this relation is none.';
    return { message, hint: 'Add "tree": true, or leave "order" out.' };
  }
  // A row that moves gets its place.
  const isSettable = ({ computed }: ColumnModel): boolean => computed === undefined;
  if (column !== undefined && isSettable(column) && hasWholeNumbers(column)) return undefined;
  const names = columns.filter((own) => isSettable(own) && hasWholeNumbers(own)).map(({ field }) => field.name);
  const reason =
    column === undefined ? 'does not exist' : isSettable(column) ? 'does not hold whole numbers' : 'is computed';
  const hint = names.length === 0 ? 'Add a field of the type "number".' : toDidYouMean(order, names);
  return { message: `"order" names the field "${order}" of "${schema}", which ${reason}.`, hint };
}

/** Reports trees that no relation can hold, and orders that are no whole numbers. */
export function checkTrees(draft: SchemaDraft, report: Report): void {
  for (const [index, relation] of (draft.definition.relations ?? []).entries()) {
    const tree = relation.tree === true ? findTreeError(draft, relation) : undefined;
    if (tree !== undefined)
      report.add(draft.source, ['relations', index, 'tree'], { code: 'MODEL_TREE_KIND', ...tree });
    const order = relation.order === undefined ? undefined : findOrderError(draft, relation);
    if (order !== undefined)
      report.add(draft.source, ['relations', index, 'order'], { code: 'MODEL_TREE_ORDER', ...order });
  }
}
