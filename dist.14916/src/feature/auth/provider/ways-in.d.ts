import type { Context } from '../../../plan/feature.ts';
import { type AuthRow } from '../sql.ts';
import type { LinkRow } from './sql.ts';
/** How many ways into an account these links leave, with its password and its passkeys. A provider that the settings lack opens nothing. */
export declare function countWaysIn({ plan, services }: Context, auth: AuthRow, links: readonly LinkRow[]): number;
