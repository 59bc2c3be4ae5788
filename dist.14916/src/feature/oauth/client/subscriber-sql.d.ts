import type { Database, Row } from '../../../database/database.ts';
/**
 * Active apps with a web hook address that may list this hook, with their owners' profiles: all, or the one
 * with a client id. Excludes apps that cannot list it, because there may be ten thousand; the caller checks
 * the lists.
 */
export declare function findReceivers({ kysely }: Database, hook: string, clientId?: string): Promise<Row[]>;
