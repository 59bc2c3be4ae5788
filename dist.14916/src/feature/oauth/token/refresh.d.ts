import type { Context } from '../../../plan/feature.ts';
import { type ClientApp } from '../client/app-row.ts';
import { type TokenFault } from '../errors.ts';
import { type Issued } from './issue.ts';
export type Refreshed = {
    readonly token: Issued;
} | {
    readonly fault: TokenFault;
};
interface Wish {
    readonly token: string;
    readonly scope: string;
}
/** Exchanges the refresh token of an authenticated app. @see draft-ietf-oauth-v2-1 section 4.3 */
export declare function refreshTokens(context: Context, app: ClientApp, wish: Wish): Promise<Refreshed>;
export {};
