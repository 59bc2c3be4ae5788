import type { Database, Dialect } from '../database.ts';
import type { CompareTools, CopyNote, Drift, MigrationStep, TableChange } from '../migration-step.ts';
import { fromStoredDecimal } from '../stored-decimal.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn, TableIndex, TableReference } from '../table.ts';
import { findScale } from '../table-default.ts';

/** Facts for an undo. */
export interface UndoFacts {
  /** Copies for dropped columns: `table.column`, future names. */
  readonly columns: ReadonlyMap<string, string>;
  /** Copies of changed values, by `table.column`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Copies of whole tables. */
  readonly tables: ReadonlyMap<string, string>;
  /** Tables to drop, by present name. */
  readonly gone: readonly string[];
}

/** Steps in the order in which they must run: all changes use the present names, then names change. */
export interface Phases {
  /** Columns that the database computes, before anything that they are computed of changes. */
  readonly computedGone: MigrationStep[];
  readonly indexesGone: MigrationStep[];
  /** Tables created before names change, under a temporary name. */
  readonly early: MigrationStep[];
  readonly alter: MigrationStep[];
  readonly drop: MigrationStep[];
  readonly rename: MigrationStep[];
  readonly create: MigrationStep[];
  /** Columns that the database computes, once all tables are there. */
  readonly computed: MigrationStep[];
  readonly indexes: MigrationStep[];
  readonly keys: MigrationStep[];
  readonly refused: MigrationStep[];
}

/** Results collected while planning. */
export interface Draft {
  readonly phases: Phases;
  readonly drift: Drift[];
  readonly copies: CopyNote[];
  readonly changes: TableChange[];
  /** Memory to save, by future name. */
  readonly memory: Map<string, Table>;
}

export interface PlanContext extends CompareTools {
  readonly database: Database;
  readonly dialect: Dialect;
  /** Memory of the last migration, by name. */
  readonly memory: ReadonlyMap<string, Table>;
  readonly isLossAllowed: boolean;
  /** Milliseconds since 1970: the value of `NOW()`. */
  readonly now: number;
  readonly undo: UndoFacts | undefined;
  readonly draft: Draft;
  /** Present names of tables to drop. */
  readonly gone: ReadonlySet<string>;
  /** Present columns, as `table.column`, to drop because another column takes their name. */
  readonly replaced: ReadonlySet<string>;
  /** Present name of a wanted table; undefined if it is created. */
  findTable(name: string): string | undefined;
  /** Present name of a wanted column; undefined if it is created. */
  findColumn(table: string, column: string): string | undefined;
  /** Future name of a present table. */
  toFuture(present: string): string;
  /** Whether Treadle created a table or column: others are never dropped. */
  isOwn(table: string, column?: string): boolean;
  /** The value of `--default`. */
  findDefault(table: Table, column: TableColumn): string | undefined;
  /** Name for a new table with a copy of removed data. */
  nextCopy(): string;
}

export function createPhases(): Phases {
  return {
    computedGone: [],
    indexesGone: [],
    early: [],
    alter: [],
    drop: [],
    rename: [],
    create: [],
    computed: [],
    indexes: [],
    keys: [],
    refused: [],
  };
}

/** A reference by present names. */
export function toPresent(reference: TableReference, context: PlanContext): TableReference {
  const { table, column, onDelete } = reference;
  return {
    table: context.findTable(table) ?? table,
    column: context.findColumn(table, column) ?? column,
    onDelete,
  };
}

/** Whether a foreign key can be kept: its table is wanted, or exists and stays. */
export function isReachable({ table }: TableReference, context: PlanContext): boolean {
  const isStaying = context.structure.tables.has(table) && !context.gone.has(table);
  return isStaying || context.wanted.some(({ name }) => name === table);
}

/** Memory of a column, by present names. */
export function findMemory(context: PlanContext, table: string, column: string): TableColumn | undefined {
  return context.memory.get(table)?.columns.find(({ name }) => name === column);
}

/** Name of a column for `--default`: `article.profile`. */
export function toColumnPath(table: Table, column: TableColumn): string {
  const schema = /([^/]+)\.json$/.exec(table.file ?? '')?.[1] ?? table.name;
  return `${schema}.${column.path?.replace(/^\w+\./, '') ?? column.name}`;
}

/** A stored value for people; a decimal with its point. */
export function printStored(
  { field }: TableColumn,
  value: string | number | undefined,
  { dialect }: PlanContext,
): string {
  const scale = findScale(field);
  if (scale === undefined) return typeof value === 'number' ? String(value) : JSON.stringify(value);
  return String(fromStoredDecimal(Number(value), scale, dialect));
}

/** A default as SQL text, without redundant quotes and parentheses. */
export function readDefault(text: string | undefined): string | undefined {
  if (text === undefined || text.toLowerCase() === 'null') return undefined;
  const quoted = /^'(.*)'$/s.exec(text);
  return quoted ? (quoted[1] ?? '').replaceAll("''", "'") : text;
}

const findExclusion = (known: Table | undefined, name: string): TableIndex | undefined =>
  known?.indexes.find((index) => index.name === name && index.excludes !== undefined);

/**
 * An existing table in the form of the memory: constraints from the database, meanings from the known
 * definition.
 */
export function toState(actual: ActualTable, known: Table | undefined): Table {
  const columns = [...actual.columns.values()].map((column): TableColumn => {
    const remembered = known?.columns.find(({ name }) => name === column.name);
    const text = readDefault(column.default);
    const isText = column.default?.startsWith("'") === true;
    const value = text === undefined ? undefined : isText || Number.isNaN(Number(text)) ? text : Number(text);
    const { field, was, wasUnder, path, link, isLeft, fill } = remembered ?? {};
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
      ...(link === undefined ? {} : { link }),
      ...(fill === undefined ? {} : { fill }),
      ...(isLeft === undefined ? {} : { isLeft }),
    };
  });
  const indexes = [...actual.indexes.values()]
    .filter(({ sql }) => sql !== undefined)
    // What a rule of `exclude` says is known from the definition alone.
    .filter(({ name, isExclusion }) => isExclusion === undefined || findExclusion(known, name) !== undefined)
    .map(
      ({ name, columns: names, isUnique, only, descending, lowNulls, where }) =>
        findExclusion(known, name) ?? {
          name,
          columns: names,
          isUnique,
          ...(only === undefined ? {} : { only }),
          ...(descending === undefined ? {} : { descending }),
          ...(lowNulls === undefined ? {} : { lowNulls }),
          ...(where === undefined ? {} : { where }),
        },
    );
  const { words, markup, trees, was, wasUnder, file, isLeft, computed } = known ?? {};
  return {
    name: actual.name,
    columns,
    primaryKey: actual.primaryKey,
    isCounting: actual.isCounting,
    indexes: indexes.filter((index) => isOwnIndex(actual.name, index)),
    ...(computed === undefined ? {} : { computed }),
    ...(words === undefined ? {} : { words }),
    ...(markup === undefined ? {} : { markup }),
    ...(trees === undefined ? {} : { trees }),
    ...(was === undefined ? {} : { was }),
    ...(wasUnder === undefined ? {} : { wasUnder }),
    ...(file === undefined ? {} : { file }),
    ...(isLeft === undefined ? {} : { isLeft }),
  };
}

/** Whether Treadle named an index, so that it may be dropped when unused. Indexes created by users stay. */
export function isOwnIndex(table: string, { name }: { readonly name: string }): boolean {
  return table.startsWith('treadle_') || (name.startsWith(`${table}_`) && /_(index|unique|exclude)$/.test(name));
}
