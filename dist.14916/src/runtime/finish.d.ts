import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { Context, Views } from '../plan/feature.ts';
import { type AccessLog } from './access-log.ts';
import type { Exchange, Lifecycle, Mode } from './exchange.ts';
import { type Failure } from './failure.ts';
import type { KeptPage } from './kept-page.ts';
import type { RuntimeSessions } from './session.ts';
export interface FinishOptions {
    readonly sessions: RuntimeSessions;
    readonly views: Views;
    readonly log: Log;
    readonly mode: Mode;
    readonly lifecycle: Lifecycle;
    readonly accessLog: AccessLog | undefined;
    /** Project root, the base of places in development. */
    readonly root: string;
    /** Adds the reload script to a page, in development. */
    readonly decorate: ((html: string) => string) | undefined;
}
/** The result of a request's event. */
export interface Handled {
    readonly context: Context;
    readonly request: Request;
    readonly response: Response;
}
/** What is known when an answer failed; `begun` is the incomplete response. */
export type Begun = Omit<Handled, 'response'> & {
    readonly begun?: Response | undefined;
};
/** Turns responses and errors into HTTP. No other module does. */
export interface Finish {
    /** Sends the handler's response; returns a promise if something is still pending. */
    finish(exchange: Exchange, handled: Handled): Promise<void> | undefined;
    /** Answers a thrown error; logs it if the server is the cause. */
    fail(exchange: Exchange, error: unknown, handled?: Begun): Promise<void>;
    /** Sends a page that was kept. */
    repeat(exchange: Exchange, page: KeptPage): Promise<void> | undefined;
    /** Answers a failure that the runtime detected. */
    refuse(exchange: Exchange, failure: Failure, handled?: Omit<Handled, 'response'>): Promise<void>;
}
export declare function createFinish(options: FinishOptions): Finish;
