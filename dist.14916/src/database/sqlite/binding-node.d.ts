import type { Row } from '../database.ts';
import type { Binding } from './binding.ts';
/** The parts of `node:sqlite` that are used. */
interface NodeStatement {
    all(...parameters: unknown[]): Row[];
    run(...parameters: unknown[]): {
        changes: number | bigint;
        lastInsertRowid: number | bigint;
    };
}
interface NodeDatabase {
    prepare(sql: string): NodeStatement;
    exec(sql: string): void;
    close(): void;
}
interface NodeSqlite {
    DatabaseSync: new (file: string) => NodeDatabase;
}
/** SQLite on `node:sqlite` (Node 22.16 and later). Throws if it has no FTS5. */
export declare function createBinding(native: NodeSqlite): Binding;
export {};
