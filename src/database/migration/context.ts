import type { Database, Dialect } from '../database.ts';
import type { CompareTools, CopyNote, Drift, MigrationStep, TableChange } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn, TableReference } from '../table.ts';

/** What an undo knows and a comparison does not. */
export interface UndoFacts {
  /** Copies to fill a column from that was dropped: `table.column`, future names. */
  readonly columns: ReadonlyMap<string, string>;
  /** Copies of changed values, by `table.column`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Copies of whole tables. */
  readonly tables: ReadonlyMap<string, string>;
  /** Tables that go, by present name. */
  readonly gone: readonly string[];
}

/** The steps by the order in which they must run: all changes happen under the present names, then names change. */
export interface Phases {
  readonly indexesGone: MigrationStep[];
  /** Tables that are made before names change, under a name of their own. */
  readonly early: MigrationStep[];
  readonly alter: MigrationStep[];
  readonly drop: MigrationStep[];
  readonly rename: MigrationStep[];
  readonly create: MigrationStep[];
  readonly indexes: MigrationStep[];
  readonly keys: MigrationStep[];
  readonly refused: MigrationStep[];
}

/** What planning gathers. */
export interface Draft {
  readonly phases: Phases;
  readonly drift: Drift[];
  readonly copies: CopyNote[];
  readonly changes: TableChange[];
  /** What will be remembered, by future name. */
  readonly memory: Map<string, Table>;
}

export interface PlanContext extends CompareTools {
  readonly database: Database;
  readonly dialect: Dialect;
  /** What the last migration left, by name. */
  readonly memory: ReadonlyMap<string, Table>;
  readonly isLossAllowed: boolean;
  /** Milliseconds since 1970: what `NOW()` means. */
  readonly now: number;
  readonly undo: UndoFacts | undefined;
  readonly draft: Draft;
  /** Present names of tables that go. */
  readonly gone: ReadonlySet<string>;
  /** Present columns, as `table.column`, that make way for one that takes their name. */
  readonly replaced: ReadonlySet<string>;
  /** Present name of a wanted table; undefined where it is made. */
  findTable(name: string): string | undefined;
  /** Present name of a wanted column; undefined where it is made. */
  findColumn(table: string, column: string): string | undefined;
  /** Future name of a present table. */
  toFuture(present: string): string;
  /** Whether Treadle made a table, or a column of it: only such go. */
  isOwn(table: string, column?: string): boolean;
  /** The value that `--default` gives. */
  findDefault(table: Table, column: TableColumn): string | undefined;
  /** Name of a table that keeps what goes. */
  nextCopy(): string;
}

export function createPhases(): Phases {
  return {
    indexesGone: [],
    early: [],
    alter: [],
    drop: [],
    rename: [],
    create: [],
    indexes: [],
    keys: [],
    refused: [],
  };
}

/** A reference by the names that are there now. */
export function toPresent(reference: TableReference, context: PlanContext): TableReference {
  const { table, column, onDelete } = reference;
  return {
    table: context.findTable(table) ?? table,
    column: context.findColumn(table, column) ?? column,
    onDelete,
  };
}

/** Whether a foreign key can be kept: the table that it leads to is wanted, or there and staying. */
export function isReachable({ table }: TableReference, context: PlanContext): boolean {
  const isStaying = context.structure.tables.has(table) && !context.gone.has(table);
  return isStaying || context.wanted.some(({ name }) => name === table);
}

/** What is remembered of a column, by present names. */
export function findMemory(context: PlanContext, table: string, column: string): TableColumn | undefined {
  return context.memory.get(table)?.columns.find(({ name }) => name === column);
}

/** What `--default` calls a column: `article.profile`. */
export function toAsk(table: Table, column: TableColumn): string {
  const schema = /([^/]+)\.json$/.exec(table.file ?? '')?.[1] ?? table.name;
  return `${schema}.${column.path?.replace(/^\w+\./, '') ?? column.name}`;
}

/** A default as SQL text, without quotes and parentheses that change nothing. */
export function readDefault(text: string | undefined): string | undefined {
  if (text === undefined || text.toLowerCase() === 'null') return undefined;
  const quoted = /^'(.*)'$/s.exec(text);
  return quoted ? (quoted[1] ?? '').replaceAll("''", "'") : text;
}

/** Keeps what is there as a table is remembered: rules as the database has them, meanings as they are known. */
export function toState(actual: ActualTable, known: Table | undefined): Table {
  const columns = [...actual.columns.values()].map((column): TableColumn => {
    const remembered = known?.columns.find(({ name }) => name === column.name);
    const text = readDefault(column.default);
    const isText = column.default?.startsWith("'") === true;
    const value = text === undefined ? undefined : isText || Number.isNaN(Number(text)) ? text : Number(text);
    const { field, was, wasUnder, path, isLeft, fill } = remembered ?? {};
    return {
      name: column.name,
      type: column.type,
      isRequired: column.isRequired,
      ...(value === undefined ? {} : { default: value }),
      ...(column.references === undefined ? {} : { references: column.references }),
      ...(field === undefined ? {} : { field }),
      ...(was === undefined ? {} : { was }),
      ...(wasUnder === undefined ? {} : { wasUnder }),
      ...(path === undefined ? {} : { path }),
      ...(fill === undefined ? {} : { fill }),
      ...(isLeft === undefined ? {} : { isLeft }),
    };
  });
  const indexes = [...actual.indexes.values()]
    .filter(({ sql }) => sql !== undefined)
    .map(({ name, columns: names, isUnique }) => ({ name, columns: names, isUnique }));
  const { words, markup, was, wasUnder, file, isLeft } = known ?? {};
  return {
    name: actual.name,
    columns,
    primaryKey: actual.primaryKey,
    isCounting: actual.isCounting,
    indexes: indexes.filter((index) => isOwnIndex(actual.name, index)),
    ...(words === undefined ? {} : { words }),
    ...(markup === undefined ? {} : { markup }),
    ...(was === undefined ? {} : { was }),
    ...(wasUnder === undefined ? {} : { wasUnder }),
    ...(file === undefined ? {} : { file }),
    ...(isLeft === undefined ? {} : { isLeft }),
  };
}

/** Whether an index has a name of ours, so that it may go when nothing asks for it. A person's own stays. */
export function isOwnIndex(table: string, { name }: { readonly name: string }): boolean {
  return table.startsWith('treadle_') || (name.startsWith(`${table}_`) && /_(index|unique)$/.test(name));
}
