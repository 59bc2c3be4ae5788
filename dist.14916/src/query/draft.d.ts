import type { Dialect } from '../database/database.ts';
import type { Condition } from './condition.ts';
import type { Source } from './source.ts';
/** The faults of a search, by parameter. */
export type Faults = Record<string, string>;
/** Active rows only, removed rows only, or both. */
export type ActiveWanted = 'only' | 'removed' | 'any';
/** Why a column cannot be used this way, with the remedy. */
export declare function describeColumn(name: string, source: Source, usable: {
    keys(): Iterable<string>;
    has(name: string): boolean;
}, flag: string): string;
/** PostgreSQL does not store U+0000 in text. */
export declare const hasNul: (text: string) => boolean;
/** Scalar to string, anything else to ''. Never calls toString() on client data. */
export declare function toPlain(value: unknown): string;
export declare const isGiven: (value: unknown) => boolean;
/**
 * True if the request brought the value at a path of the search's input, such as `filter`, `article_active`,
 * `eq`.
 */
export type IsBrought = (...path: [string, ...string[]]) => boolean;
export interface DraftOptions {
    readonly dialect: Dialect;
    /**
     * Values that the request brought cannot reach removed rows, or relations that only point back here. Default:
     * code set all values.
     */
    readonly isBrought?: IsBrought | undefined;
    /** True if the request may ask for removed rows. Default false. */
    readonly isRemovedOpen?: boolean | undefined;
    /** True for an access rule: it may use any column, and `active` like any other. Default false. */
    readonly isRule?: boolean;
    /** True to refuse unknown options of a select also in values that code set. Default false: rows may still have them. */
    readonly isStrict?: boolean;
}
/** A search while it is parsed: its conditions, and separately the values that they compare with. */
export declare class Draft {
    #private;
    readonly source: Source;
    readonly faults: Faults;
    readonly dialect: Dialect;
    readonly isBrought: IsBrought;
    readonly isRule: boolean;
    readonly isStrict: boolean;
    readonly conditions: Condition[];
    readonly values: unknown[];
    /** Columns and operators in order: the part of the conditions that the statement depends on. */
    key: string;
    /** @param values The statement's values so far; the draft appends its own. Default none. */
    constructor(source: Source, faults: Faults, options: DraftOptions, values?: unknown[]);
    /**
     * False once enough unknown names were described: a posted filter may have thousands, and each is compared with
     * every column.
     */
    isDescribing(): boolean;
    /** Reports a condition that asks for removed rows if the request may not. */
    refusesRemoved(parameter: string, path: [string, ...string[]]): boolean;
    /** Adds a value and gives its index. */
    hold(value: unknown): number;
    add(condition: Omit<Condition, 'slot'>, ...values: readonly unknown[]): void;
}
