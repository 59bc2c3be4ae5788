import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel, TreeModel } from '../../../model/model.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { toRowPath } from '../form/choice.ts';
import { countBelow, findBelow, findOrder, toAddress, toTreeQuery } from './open.ts';

/** Rows of a level below the first, on one page. */
const LEVEL_ROWS = 300;
/** Levels below the first that a page has. */
const LEVELS = 2;

/** A row of a tree as `templates/admin/data/tree-rows.html` shows it. */
export interface TreeNode {
  readonly id: number;
  readonly label: string;
  readonly path: string | undefined;
  readonly movePath: string | undefined;
  /** Where the tree begins with this row. */
  readonly underPath: string;
  /** How many rows are right below it. */
  readonly count: number;
  readonly below: readonly TreeNode[];
  /** How many of them this page does not show. */
  readonly left: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether it can be put before or after a neighbour. */
  readonly hasWays: boolean;
  readonly csrf: string;
}

interface NodeContext {
  readonly context: Context;
  readonly schema: SchemaModel;
  readonly tree: TreeModel;
  /** Path of the page of the tree. */
  readonly treePath: string;
  readonly isOpen: boolean;
  readonly isMovable: boolean;
  readonly csrf: string;
}

const toId = (row: Row, { primary }: SchemaModel): number => Number(row[primary]);

/** What lies below the first rows: rows by the key above them, and how many there are. */
interface Levels {
  readonly rows: ReadonlyMap<number, readonly Row[]>;
  readonly counts: ReadonlyMap<number, number>;
}

async function readLevels({ context, schema, tree }: NodeContext, first: readonly Row[]): Promise<Levels> {
  const rows = new Map<number, Row[]>();
  const counts = new Map<number, number>();
  let ids = first.map((row) => toId(row, schema));
  for (let level = 0; ids.length > 0; level += 1) {
    for (const [id, count] of await countBelow(context, schema, tree, ids)) counts.set(id, count);
    if (level === LEVELS) break;
    const under = ids.filter((id) => (counts.get(id) ?? 0) > 0);
    const found = under.length === 0 ? [] : (await findBelow(context, { schema, tree, under, limit: LEVEL_ROWS })).rows;
    for (const row of found) {
      const above = Number(row[tree.column]);
      const list = rows.get(above);
      if (list === undefined) rows.set(above, [row]);
      else list.push(row);
    }
    ids = found.map((row) => toId(row, schema));
  }
  return { rows, counts };
}

/** The rows of a page with two levels below them. */
export async function listNodes(node: NodeContext, first: readonly Row[], ends: TreeEnds): Promise<TreeNode[]> {
  const { schema, tree, treePath, isOpen, isMovable, csrf } = node;
  const { rows, counts } = await readLevels(node, first);
  const query = toTreeQuery(schema, tree);
  const isOrdered = findOrder(schema, tree) !== undefined;
  const toNode = (row: Row, isFirst: boolean, isLast: boolean): TreeNode => {
    const id = toId(row, schema);
    const children = rows.get(id) ?? [];
    const count = counts.get(id) ?? 0;
    const left = Math.max(0, count - children.length);
    return {
      id,
      label: toRowLabel(schema, row),
      path: isOpen ? toRowPath(schema, id) : undefined,
      movePath: isMovable ? toAddress(toRowPath(schema, id, 'move'), query) : undefined,
      underPath: toAddress(treePath, query, `under=${id}`),
      count,
      below: children.map((child, index) => toNode(child, index === 0, index === children.length - 1 && left === 0)),
      left,
      ...{ isFirst, isLast, csrf },
      hasWays: isOrdered && !(isFirst && isLast),
    };
  };
  const last = first.length - 1;
  return first.map((row, index) => toNode(row, ends.isStart && index === 0, ends.isEnd && index === last));
}

/** Whether the first rows begin with the first of all, and end with the last. */
interface TreeEnds {
  readonly isStart: boolean;
  readonly isEnd: boolean;
}
