import type { Connection } from './connection.ts';
/** Sets what durability depends on, and reads it back. @throws DATABASE_SETTING_REFUSED */
export declare function applyWriterSettings(connection: Connection, isMemory: boolean): Promise<void>;
/** Makes a reader read-only. @throws DATABASE_SETTING_REFUSED */
export declare function applyReaderSettings(connection: Connection): Promise<void>;
/**
 * Turns foreign keys on or off, for rebuilding tables; only outside a transaction. @throws
 * DATABASE_SETTING_REFUSED
 */
export declare function applyForeignKeys(connection: Connection, isOn: boolean): Promise<void>;
