import type { Response } from '../core/response.ts';
import { type RootSecret } from '../core/secret.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Invocation, Outcome } from './spec.ts';
type Boot = typeof import('../boot.ts');
export type Application = Awaited<ReturnType<Boot['createApp']>>;
/**
 * Opens the project's application with its database for one task, and closes it afterwards. It starts no workers:
 * the server sends the web hooks that the task adds to the queue, and whatever else is due.
 *
 * @throws DATABASE_BEHIND, SECRET_MISSING if the database counts as production: see {@link findCommandMode}.
 */
export declare function withApplication<T>(invocation: Invocation, work: (app: Application) => Promise<T>): Promise<T>;
/**
 * The project's root secret, for a command that needs nothing else of the application.
 *
 * @param secret `TREADLE_SECRET`.
 * @throws SECRET_OTHER at its first use, if the server of the database has another one.
 */
export declare function getCommandSecret(invocation: Invocation, secret: string): Promise<RootSecret>;
/**
 * Fingerprint of the root secret that last served the database; undefined if the database is missing or was never
 * served.
 */
export declare function readServerSecret(invocation: Invocation): Promise<string | undefined>;
/** The plan of the project's files; needs no database. @throws ProblemsError if a definition is invalid. */
export declare function compilePlan(invocation: Invocation): Promise<CompiledPlan>;
/** The account of a user, as `auth-detail` gives it. @throws CLI_USAGE if no user has that e-mail. */
export declare function getUser(app: Application, email: string): Promise<Readonly<Record<string, unknown>>>;
/** The response's failure as lines; a message that repeats a field's message is printed once. */
export declare function toFailureText(response: Response, names?: Readonly<Record<string, string>>): string[];
/** The results of an event. @param names See {@link refuseFailure}. @throws CLI_EVENT_FAILED */
export declare function getResults<T>(app: Application, event: string, stage: Readonly<Record<string, unknown>>, names?: Readonly<Record<string, string>>): Promise<T>;
/** The four steps of a command that changes what it finds. */
export interface Steps<T> {
    readonly find: (app: Application) => Promise<T>;
    /** What the command would do, for `--dry-run`. */
    readonly show: (found: T, app: Application) => Outcome | Promise<Outcome>;
    /** Asks the user. Default: does not ask. */
    readonly agree?: (found: T) => Promise<void>;
    readonly run: (found: T, app: Application) => Promise<Outcome>;
}
/** Finds, then shows what would be done, or asks and does it. */
export declare const runSteps: <T>(invocation: Invocation, { find, show, agree, run }: Steps<T>) => Promise<Outcome>;
/**
 * Throws the response's failure, so that the command fails with its message.
 *
 * @param names The command's names for the stage's keys, such as `--email`.
 * @throws CLI_EVENT_FAILED
 */
export declare function refuseFailure(response: Response, names?: Readonly<Record<string, string>>): void;
export {};
