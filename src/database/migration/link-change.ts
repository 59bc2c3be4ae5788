import { countRows, createProblem, type MigrationStep } from '../migration-step.ts';
import type { LinkNote, Table, TableColumn } from '../table.ts';
import { quote } from '../table-sql.ts';
import type { PlanContext } from './context.ts';

/** Where a relation keeps its links: in a column of one end, or in a table of pairs. */
type Storage =
  | { readonly kind: 'column'; readonly table: Table; readonly column: TableColumn; readonly end: LinkNote['end'] }
  | { readonly kind: 'pairs'; readonly table: Table; readonly source: string; readonly target: string };

const toPlain = (name: string): string => name.replaceAll('-', '_');

/** What a column says of its relation. Releases before this one noted the path in the definition alone. */
function readLink(table: Table, column: TableColumn): LinkNote | undefined {
  const { link, references, path } = column;
  if (link !== undefined) return link;
  const name = path === undefined ? undefined : /^relations\.(.+)$/.exec(path)?.[1];
  const schema = /([^/]+)\.json$/.exec(table.file ?? '')?.[1];
  if (name === undefined || schema === undefined || references === undefined) return undefined;
  if (isPairs(table)) {
    const end = table.columns[0] === column ? 'source' : 'target';
    return { relation: `${toPlain(schema)}.${toPlain(name)}`, end };
  }
  // A 1:N relation is named after the child, and the child's table has the foreign key.
  const isChild = toPlain(name) === table.name;
  return {
    relation: `${isChild ? references.table : toPlain(schema)}.${toPlain(name)}`,
    end: isChild ? 'target' : 'source',
  };
}

const isPairs = ({ primaryKey, isCounting }: Table): boolean => primaryKey.length === 2 && !isCounting;

function listStorages(tables: Iterable<Table>): Map<string, Storage> {
  const found = new Map<string, Storage>();
  for (const table of tables) {
    if (table.isLeft === true || table.name.startsWith('treadle_')) continue;
    const [source, target] = table.columns;
    for (const column of table.columns) {
      const link = column.isLeft === true ? undefined : readLink(table, column);
      if (link === undefined) continue;
      if (!isPairs(table)) found.set(link.relation, { kind: 'column', table, column, end: link.end });
      else if (source && target)
        found.set(link.relation, { kind: 'pairs', table, source: source.name, target: target.name });
    }
  }
  return found;
}

const describe = (storage: Storage): string =>
  storage.kind === 'pairs' ? storage.table.name : `${storage.table.name}.${storage.column.name}`;

const isSame = (a: Storage, b: Storage): boolean =>
  a.kind === 'pairs' ? b.kind === 'pairs' : b.kind === 'column' && a.end === b.end;

/** The number of links; 0 if there is nothing yet. Present names. */
async function countLinks(storage: Storage, { structure, counter }: PlanContext): Promise<number> {
  const there = structure.tables.get(storage.table.name);
  if (there === undefined) return 0;
  if (storage.kind === 'pairs') return counter.rows(storage.table.name);
  if (!there.columns.has(storage.column.name)) return 0;
  return (await counter.values(storage.table.name, storage.column.name)).count;
}

/** A wanted storage by the names that it has now; undefined if the migration makes it. */
function toPresent(storage: Storage, context: PlanContext): Storage | undefined {
  const name = context.findTable(storage.table.name);
  if (name === undefined) return undefined;
  const table = { ...storage.table, name };
  if (storage.kind === 'pairs') return { ...storage, table };
  const column = context.findColumn(storage.table.name, storage.column.name);
  return column === undefined ? undefined : { ...storage, table, column: { ...storage.column, name: column } };
}

interface Change {
  readonly relation: string;
  readonly from: Storage;
  readonly to: Storage;
  readonly links: number;
}

/** Why the links cannot be carried; undefined if they can. */
async function findObstacle({ from, to }: Change, context: PlanContext): Promise<string | undefined> {
  const present = toPresent(to, context);
  const there = present === undefined ? 0 : await countLinks(present, context);
  if (there > 0) return `${describe(to)} holds ${there === 1 ? 'a link' : `${there} links`} of another time`;
  if (to.kind === 'pairs') return undefined;
  if (to.column.isRequired) return 'each row would need a link';
  const name = from.kind === 'pairs' ? from[to.end] : from.column.name;
  const several = await context.counter.duplicates(from.table.name, [name], { key: [], only: undefined });
  return several.count === 0 ? undefined : `${countRows(several.count)} of it would need several links in one column`;
}

/** `select` of the links as `source_id` and `target_id`, after all names have changed. */
function selectLinks(from: Storage, { draft, toFuture, wanted }: PlanContext): string {
  const future = toFuture(from.table.name);
  if (from.kind === 'pairs') {
    const copy = draft.copies.find(({ kind, table }) => kind === 'table' && table === from.table.name)?.copy;
    return `select ${quote(from.source)} as source_id, ${quote(from.target)} as target_id from ${quote(copy ?? future)}`;
  }
  const { column, end } = from;
  const copy = draft.copies.find(
    ({ kind, table, column: of }) => kind === 'column' && table === future && of === column.name,
  );
  const [primary = ''] = wanted.find(({ name }) => name === future)?.primaryKey ?? from.table.primaryKey;
  const own = copy === undefined ? quote(primary) : 'key_1';
  const other = copy === undefined ? quote(column.name) : 'former';
  const [source, target] = end === 'source' ? [own, other] : [other, own];
  const test = copy === undefined ? ` where ${quote(column.name)} is not null` : '';
  return `select ${source} as source_id, ${target} as target_id from ${quote(copy?.copy ?? future)}${test}`;
}

function carrySql({ from, to }: Change, context: PlanContext): string {
  const links = selectLinks(from, context);
  const table = quote(to.table.name);
  if (to.kind === 'pairs')
    return `insert into ${table} (${quote(to.source)}, ${quote(to.target)}) select source_id, target_id from (${links}) as links`;
  const [primary = ''] = to.table.primaryKey;
  const [own, other] = to.end === 'source' ? ['source_id', 'target_id'] : ['target_id', 'source_id'];
  return `update ${table} set ${quote(to.column.name)} = links.${other} from (${links}) as links where links.${own} = ${table}.${quote(primary)}`;
}

function createStep(change: Change, context: PlanContext): MigrationStep {
  const { relation, from, to, links } = change;
  return {
    kind: 'alter-column',
    class: 'change',
    table: to.table.name,
    words: `Carry ${links === 1 ? 'the link' : `the ${links} links`} of the relation ${relation} from ${describe(from)} to ${describe(to)}.`,
    sql: [carrySql(change, context)],
    rowsAtRisk: 0,
    isNeeded: true,
    isBreaking: true,
  };
}

function refuse({ relation, from, to, links }: Change, why: string): MigrationStep {
  const isRequired = to.kind === 'column' && to.column.isRequired;
  const way = isRequired
    ? 'Make it 1:0 first, which carries them where each row has one, and run treadle migrate; then make it 1:1.'
    : 'Add a relation of the new kind with a name of its own, copy the links in a step of config/migration, then remove this one.';
  const column = to.kind === 'column' ? to.column : to.table.columns[0];
  return {
    kind: 'alter-column',
    class: 'lose',
    table: to.table.name,
    words: `Keep the links of the relation ${relation} in ${describe(to)} instead of ${describe(from)}.`,
    sql: [],
    rowsAtRisk: links,
    isNeeded: true,
    refusal: createProblem(to.table, column?.path ?? '', {
      code: 'MIGRATION_LINKS_LOST',
      message: `The relation ${relation} becomes of another kind, which does not take its ${links === 1 ? 'link' : `${links} links`} in ${describe(from)}: ${why}.`,
      hint: `${way} To begin without them, keeping what is there: treadle migrate --allow-loss.`,
    }),
  };
}

/**
 * Carries the links of relations that keep them elsewhere from now on: another kind has a column at the other end, or a
 * table. Call it when all other steps are planned.
 */
export async function planLinkChanges(context: PlanContext): Promise<void> {
  if (context.undo !== undefined) return;
  const present = [...context.memory.values()].filter(({ name }) => context.structure.tables.has(name));
  const former = listStorages(present);
  const { create, refused } = context.draft.phases;
  for (const [relation, to] of listStorages(context.wanted)) {
    const from = former.get(relation);
    if (from === undefined || isSame(from, to)) continue;
    const links = await countLinks(from, context);
    if (links === 0) continue;
    const change: Change = { relation, from, to, links };
    const why = await findObstacle(change, context);
    if (why === undefined) create.push(createStep(change, context));
    else if (!context.isLossAllowed) refused.push(refuse(change, why));
  }
}
