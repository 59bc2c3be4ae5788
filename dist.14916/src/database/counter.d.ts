import type { Database } from './database.ts';
/**
 * Moves a table's counter past its highest primary key, after rows with given keys were inserted: on
 * PostgreSQL the next row would otherwise get a used number. SQLite does this itself. Never moves it back.
 */
export declare function advanceCounter(database: Database, table: string, primary: string): Promise<void>;
