import type { Context } from '../../../plan/feature.ts';
import type { AuthRow } from '../sql.ts';
import { type Pair } from './factors.ts';
/**
 * Checks the stage's `auth_code` (of an authenticator app) or `recovery_code`, each once. Refuses with the message beside
 * the field, or with 429.
 */
export declare function checkCode(context: Context, auth: AuthRow, pair: Pair): Promise<boolean>;
