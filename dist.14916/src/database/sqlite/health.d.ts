import { type Clock } from '../../core/clock.ts';
import { type HealthFault } from '../health.ts';
import type { Connection } from './connection.ts';
import type { Reserve } from './disk-reserve.ts';
import type { FileGuard } from './file-guard.ts';
import type { Writer } from './writer.ts';
export interface SqliteHealthParts {
    readonly writer: Writer;
    readonly clock: Clock;
    /** Opens a connection for the health checks only. */
    readonly openReader: () => Promise<Connection>;
    readonly file: string;
    readonly guard: FileGuard;
    /** Recreated once there is room. */
    readonly reserve?: Reserve | undefined;
}
/** Checks whether a database file can still be read and written. Writes nothing. */
export declare class SqliteHealth {
    #private;
    constructor(parts: SqliteHealthParts);
    check(): Promise<readonly HealthFault[]>;
    structureVersion(): Promise<string>;
    close(): Promise<void>;
}
