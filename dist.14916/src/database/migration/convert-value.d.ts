import type { FieldNote } from '../table.ts';
/** Storage classes: SQLite's affinities and JSON. Types of one class store the same. */
export type Storage = 'integer' | 'real' | 'text' | 'json' | 'blob' | 'numeric';
export declare function toStorage(type: string): Storage;
export type Converted = {
    readonly isFit: true;
    readonly value: string | number | null;
} | {
    readonly isFit: false;
    readonly why: string;
};
export interface Meaning {
    /** The field's definition; undefined for keys, and if it is not remembered. */
    readonly field: FieldNote | undefined;
    readonly storage: Storage;
}
/** Converts values between two field types: returns the value to store, or why it does not fit. */
export declare function createConverter(from: Meaning, to: Meaning): (stored: unknown) => Promise<Converted>;
/**
 * Whether two stored values are equal. JSON is compared by content, because PostgreSQL formats it in its
 * own way.
 */
export declare function isSameStored(a: unknown, b: unknown, isJson: boolean): boolean;
