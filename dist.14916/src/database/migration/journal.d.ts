import { type Clock } from '../../core/clock.ts';
import type { Database, SystemTable } from '../database.ts';
import type { CopyNote, MigrationRecord, MigrationStep, TableChange } from '../migration-step.ts';
import type { Structure } from '../structure.ts';
import type { Table } from '../table.ts';
/** Log of schema changes. */
export declare const journalTable: SystemTable;
/** Meaning of each table's columns after the last migration: databases do not store the field's type. */
export declare const memoryTable: SystemTable;
/** One migration in the journal. */
export interface JournalEntry {
    readonly id: number;
    readonly at: number;
    readonly words: string;
    /** Undefined if an earlier version of Treadle wrote it. */
    readonly changes: readonly TableChange[] | undefined;
    readonly copies: readonly CopyNote[];
    readonly undoes: number | undefined;
}
/** What the database stores about its own history. */
export interface Remembered {
    readonly memory: ReadonlyMap<string, Table>;
    /** Number of the last journal entry. */
    readonly lastEntry: number;
    /** Highest number that a copy ever had. */
    readonly lastCopy: number;
    /** SQL of old entries that do not list what Treadle created. */
    readonly formerSql: string;
}
export declare function readRemembered({ kysely }: Database, structure: Structure): Promise<Remembered>;
/** Entries of the journal, latest first. */
export declare function readJournal({ kysely }: Database, structure: Structure): Promise<JournalEntry[]>;
/** Saves a migration and the new meaning of each column. Without steps only the latter. */
export declare function writeRecord(database: Database, steps: readonly MigrationStep[], record: MigrationRecord, clock: Clock): Promise<void>;
