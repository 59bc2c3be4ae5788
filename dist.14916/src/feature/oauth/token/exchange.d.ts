import type { Row } from '../../../database/database.ts';
import type { Context } from '../../../plan/feature.ts';
import { type ClientApp } from '../client/app-row.ts';
import { type TokenFault } from '../errors.ts';
import { type Issued } from './issue.ts';
import { type Arrival } from './replay-detector.ts';
type Door = 'classic' | 'standard';
/** Parameters of a code exchange. */
export interface CodeWish {
    readonly code: string;
    readonly redirectUri: string;
    readonly verifier: string;
    readonly door: Door;
    /** From {@link arriveWith}, before any lookup. */
    readonly arrival: Arrival;
}
interface Exchanged {
    readonly token: Issued;
    readonly code: Row;
    readonly profile: Row;
}
export type Outcome = Exchanged | {
    readonly fault: TokenFault;
};
/** Records the arrival of an exchange. Must be called first: it distinguishes a lost race from a replay. */
export declare const arriveWith: ({ services }: Context, code: string) => Arrival;
/** Exchanges the code of an authenticated app. */
export declare function exchangeCode(context: Context, app: ClientApp, wish: CodeWish): Promise<Outcome>;
export {};
