import { type Action, type Grant } from '../../core/access.ts';
import type { Request } from '../../core/request.ts';
import type { Database } from '../../database/database.ts';
import { type AuthRow } from './sql.ts';
/**
 * What the running work may do with accounts.
 * @throws ACCESS_MISSING if it has no access at all, or none to accounts.
 */
export declare function getAccountGrant(action: Action): Grant;
/**
 * The account that a stage selects by `auth_id`, else by `auth_slug`. A user's REST call finds only the
 * user's own account; others look as if they did not exist.
 */
export declare function findAsked(database: Database, request: Request): Promise<AuthRow | undefined>;
