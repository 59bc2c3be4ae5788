import { sql } from 'kysely';
import type { TreeOperator } from '../../../model/filter/operator.ts';
import type { SourceColumn, WalkedTree } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import type { Slot } from './operator.ts';

/** The name of the walked rows. */
const WALK = sql.ref('treadle_walk');

const all = (parts: readonly Fragment[]): Fragment => sql.join([...parts], sql` and `);

/** The row with the key in a slot, and the rows below it. `union` ends the walk also where rows are below themselves. */
function walkDown({ table, primary, column }: WalkedTree, slot: Slot, tests: readonly Fragment[]): Fragment {
  const [key, from] = [sql`${sql.ref(`t.${primary}`)}`, sql`${sql.table(table)} as t`];
  const next = all([sql`${sql.ref(`t.${column}`)} = treadle_walk.id`, ...tests]);
  return sql`with recursive ${WALK}(id) as (select ${key} from ${from} where ${all([sql`${key} = ${slot}`, ...tests])} union select ${key} from ${WALK} cross join ${from} where ${next}) select id from ${WALK}`;
}

/** The key of the parent of the row with the key in a slot, and the keys of those above it. */
function walkUp({ table, primary, column }: WalkedTree, slot: Slot, tests: readonly Fragment[]): Fragment {
  const [key, from] = [sql`${sql.ref(`t.${primary}`)}`, sql`${sql.table(table)} as t`];
  const parent = sql`${sql.ref(`t.${column}`)}`;
  const next = all([sql`${key} = treadle_walk.id`, sql`${parent} is not null`, ...tests]);
  return sql`with recursive ${WALK}(id) as (select ${parent} from ${from} where ${all([sql`${key} = ${slot}`, sql`${parent} is not null`, ...tests])} union select ${parent} from ${WALK} cross join ${from} where ${next}) select id from ${WALK}`;
}

/**
 * Tests whether a row is below or above the row with the key in a slot, which is neither.
 *
 * @param tests What each row on the way must meet, on the alias `t`: a walk tells nothing of what lies behind hidden rows.
 */
export function buildTreeTest(
  { alias, tree }: SourceColumn & { readonly tree: WalkedTree },
  operator: TreeOperator,
  slot: Slot,
  tests: readonly Fragment[],
): Fragment {
  const ref = (name: string): Fragment => sql`${sql.ref(`${alias}.${name}`)}`;
  const key = ref(tree.primary);
  const found =
    operator === 'below'
      ? sql`${ref(tree.column)} in (${walkDown(tree, slot, tests)})`
      : sql`${key} in (${walkUp(tree, slot, tests)})`;
  return sql`${found} and ${key} <> ${slot}`;
}
