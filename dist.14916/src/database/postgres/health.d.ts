import { CompiledQuery } from 'kysely';
import type { Row } from '../database.ts';
import type { HealthFault } from '../health.ts';
type Run = (query: CompiledQuery) => Promise<readonly Row[]>;
/** Checks whether the server responds and accepts writes. */
export declare function checkServerHealth(run: Run): Promise<readonly HealthFault[]>;
export declare const readStructureVersion: (run: Run) => Promise<string>;
export {};
