import type { Row } from '../../../database/database.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { type Pair } from '../page.ts';
export type Step = (context: Context, pair: Pair) => Promise<void>;
export declare const toRoute: (method: 'GET' | 'POST', path: string, description: string, step: Step) => RouteContribution;
/** The path that a page of second factors leads to in the end; empty: back to the overview. */
export declare const findTarget: ({ request }: Pair) => string;
/** The account of the session; leads a visitor to the login and back. */
export declare function requireMe({ request, response }: Pair, home: string): number | undefined;
/** The second factors of an account, as `auth-second-factor-search` lists them. */
export declare function readFactors(context: Context, authId: number): Promise<Row>;
/** What a page must know to offer passkeys. The browser opens them on the relying party's origin only. */
export declare function toPasskeyData({ services }: Context, { request }: Pair): Row;
/** Shows recovery codes: this once, because only hashes are stored. */
export declare function showCodes(context: Context, pair: Pair, codes: readonly string[], done: string): Promise<void>;
/** Leads to a page of second factors with a message on it. */
export declare function leadTo({ request, response }: Pair, path: string, message: string): void;
