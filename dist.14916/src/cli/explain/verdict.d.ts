import { type Application } from '../application.ts';
import type { CallFacts } from './call.ts';
/** Whether a request of this app, for this user, has access; each reason is a sentence. */
export interface Verdict {
    /** Null if it depends on a user or app that was not given. */
    readonly passes: boolean | null;
    readonly reasons: readonly string[];
}
interface UserFacts {
    readonly id: number;
    readonly email: string;
    readonly isActive: boolean;
    readonly profileId: number | undefined;
    /** Roles of the account. */
    readonly type: unknown;
    readonly hasSecondFactor: boolean;
}
/** @throws CLI_USAGE if no account has this e-mail. */
export declare function readUser(app: Application, email: string): Promise<UserFacts>;
export interface Asking {
    readonly app: string | undefined;
    readonly as: string | undefined;
}
/** Decides a call for an app, a user, or both. @throws CLI_USAGE if one of them does not exist. */
export declare function judge(running: Application, call: CallFacts, { app, as }: Asking): Promise<Verdict>;
export {};
