import { sql } from 'kysely';
import type { Database, Dialect } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import { SearchError } from './answer.ts';
import type { Branch } from './parse/branch.ts';
import { isListed, Slot, toLimit } from './parse/operator.ts';
import { buildRowTest, type SeeRelated } from './parse/predicate.ts';
import type { RelationLoader } from './relation-loader.ts';
import { createMasking, type RelatedInput } from './source/related.ts';
import type { Fragment } from './sql/exact-double.ts';
import { decodeRows } from './sql/printed.ts';
import { activeConditions, joinAll, selectList, where } from './sql/select.ts';
import { bind, type Statements, Values } from './values.ts';

interface BranchContext {
  readonly schema: SchemaModel;
  readonly database: Database;
  readonly see: SeeRelated | undefined;
}

const WALK = sql.ref('treadle_walk');
/** Slots: the list of keys, the levels, the most rows. */
const [KEYS, LEVELS, MOST] = [new Slot(0), new Slot(1), 2];

/** The keys of the rows of a branch, as the table `treadle_walk`. Each row on the way must be seen. */
function buildWalk(
  { tree: { column }, direction }: Branch,
  { target }: RelatedInput,
  tests: readonly Fragment[],
  dialect: Dialect,
): Fragment {
  const { table, primary } = target.schema;
  const [key, parent] = [sql`${sql.ref(`t.${primary}`)}`, sql`${sql.ref(`t.${column}`)}`];
  const from = sql`${sql.table(table)} as t`;
  const every = (parts: readonly Fragment[]): Fragment => sql.join([...parts], sql` and `);
  if (direction === 'below') {
    const first = every([isListed(parent, KEYS, dialect, 'integer'), ...tests]);
    const next = every([sql`${parent} = treadle_walk.id`, sql`treadle_walk.level < ${LEVELS}`, ...tests]);
    return sql`${WALK}(id, level) as (select ${key}, 1 from ${from} where ${first} union select ${key}, treadle_walk.level + 1 from ${WALK} cross join ${from} where ${next})`;
  }
  const isChild = sql`${parent} is not null`;
  const first = every([isListed(key, KEYS, dialect, 'integer'), isChild]);
  const next = every([sql`${key} = treadle_walk.id`, isChild, ...tests]);
  return sql`${WALK}(id) as (select ${parent} from ${from} where ${first} union select ${parent} from ${WALK} cross join ${from} where ${next})`;
}

function compileBranch(branch: Branch, input: RelatedInput, database: Database): Fragment {
  const { target, rows, sight } = input;
  const { dialect } = database;
  const { schema } = target;
  const tests = [...activeConditions(target, 'only'), ...(rows === undefined ? [] : [buildRowTest(rows, dialect)])];
  const key = sql`${sql.ref(`t.${schema.primary}`)}`;
  // Who may not see by what the rows are sorted gets them by their keys.
  const sorted = branch.tree.order === undefined ? undefined : target.sure.get(branch.tree.order);
  const order = sorted === undefined ? key : sql`${sql.ref(`t.${sorted.column}`)} asc nulls first, ${key}`;
  const columns = selectList(target.columns.values(), createMasking(input, database));
  const walk = buildWalk(branch, input, tests, dialect);
  const from = sql`(select id from ${WALK} limit ${toLimit(MOST, dialect)}) as walked cross join ${sql.table(schema.table)} as t ${joinAll(target, dialect, sight)}`;
  return sql`with recursive ${walk} select ${columns} from ${from} ${where([sql`${key} = walked.id`, ...tests])} order by ${order}`;
}

/** Adds what is above and below rows in their trees: a statement for each branch, however many rows and levels there are. */
export class BranchLoader {
  readonly #relations: RelationLoader;
  readonly #statements: Statements;
  readonly #mostRows: number;

  /** @param mostRows Maximum rows that one branch adds. */
  constructor(relations: RelationLoader, statements: Statements, mostRows: number) {
    this.#relations = relations;
    this.#statements = statements;
    this.#mostRows = mostRows;
  }

  /** Puts the rows of a branch into each of these rows. @throws SEARCH_INVALID (400) if they are too many. */
  async add(branch: Branch, rows: readonly Row[], context: BranchContext): Promise<void> {
    const found = await this.#read(branch, rows, context);
    const place = { branch, primary: context.schema.primary, column: branch.tree.column };
    if (branch.direction === 'above') putAbove(rows, found, place);
    else putBelow(rows, found, place);
  }

  async #read(branch: Branch, rows: readonly Row[], context: BranchContext): Promise<Row[]> {
    const { schema, database, see } = context;
    const { relation, column } = branch.tree;
    const values = new Values();
    values.mark(`${schema.name} ${branch.direction} ${column}`);
    values.add('rows', JSON.stringify(rows.map((row) => row[schema.primary])));
    values.add('levels', branch.depth);
    values.add('most', this.#mostRows + 1);
    const input = this.#relations.toRelated(relation, false, { see, dialect: database.dialect, values });
    const statement = this.#statements.find('branch', values, database, () => ({
      fragment: compileBranch(branch, input, database),
    }));
    const found = await database.run(statement.query, bind(statement, values.list));
    if (found.length > this.#mostRows) {
      const remedy = branch.direction === 'below' ? 'Ask for fewer levels or fewer rows.' : 'Ask for fewer rows.';
      const message = `"expand" of ${branch.key} brings more than ${this.#mostRows} rows, and no more are allowed (limits.expandRows). ${remedy}`;
      throw new SearchError({ expand: message });
    }
    return decodeRows(input.target, found, database.dialect);
  }
}

interface BranchPlace {
  readonly branch: Branch;
  readonly primary: string;
  readonly column: string;
}

/** From the root to the parent. Behind a row that is hidden nothing shows. */
function putAbove(rows: readonly Row[], found: readonly Row[], { branch, primary, column }: BranchPlace): void {
  const byKey = new Map(found.map((row) => [row[primary], row]));
  for (const row of rows) {
    const list: Row[] = [];
    const seen = new Set<unknown>();
    for (let key = row[column]; byKey.has(key) && !seen.has(key); key = list[0]?.[column]) {
      seen.add(key);
      list.unshift({ ...byKey.get(key) });
    }
    row[branch.key] = list;
  }
}

/** Each row with the rows below it, to the depth of the branch. */
function putBelow(rows: readonly Row[], found: readonly Row[], { branch, primary, column }: BranchPlace): void {
  const children = new Map<unknown, Row[]>();
  // A row may be at several levels, below several of the rows.
  for (const row of new Map(found.map((own) => [own[primary], own])).values()) {
    const list = children.get(row[column]) ?? [];
    list.push(row);
    children.set(row[column], list);
  }
  const listBelow = (row: Row, level: number): Row[] =>
    (children.get(row[primary]) ?? []).map((child) => {
      const copy: Row = { ...child };
      if (level < branch.depth) copy[branch.key] = listBelow(copy, level + 1);
      return copy;
    });
  for (const row of rows) row[branch.key] = listBelow(row, 1);
}
