import type { Database, Dialect } from '../database.ts';
import type { CompareTools, CopyNote, Drift, MigrationStep, TableChange } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn, TableReference } from '../table.ts';
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
    readonly indexesGone: MigrationStep[];
    /** Tables created before names change, under a temporary name. */
    readonly early: MigrationStep[];
    readonly alter: MigrationStep[];
    readonly drop: MigrationStep[];
    readonly rename: MigrationStep[];
    readonly create: MigrationStep[];
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
export declare function createPhases(): Phases;
/** A reference by present names. */
export declare function toPresent(reference: TableReference, context: PlanContext): TableReference;
/** Whether a foreign key can be kept: its table is wanted, or exists and stays. */
export declare function isReachable({ table }: TableReference, context: PlanContext): boolean;
/** Memory of a column, by present names. */
export declare function findMemory(context: PlanContext, table: string, column: string): TableColumn | undefined;
/** Name of a column for `--default`: `article.profile`. */
export declare function toAsk(table: Table, column: TableColumn): string;
/** A default as SQL text, without redundant quotes and parentheses. */
export declare function readDefault(text: string | undefined): string | undefined;
/**
 * An existing table in the form of the memory: constraints from the database, meanings from the known
 * definition.
 */
export declare function toState(actual: ActualTable, known: Table | undefined): Table;
/** Whether Treadle named an index, so that it may be dropped when unused. Indexes created by users stay. */
export declare function isOwnIndex(table: string, { name }: {
    readonly name: string;
}): boolean;
