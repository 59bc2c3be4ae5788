import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import type { Context, Views } from '../plan/feature.ts';
import type { Exchange } from './exchange.ts';
import { type Failure } from './failure.ts';
/** A page without templates, used if the site's own layout fails. */
export declare function renderPlainFailure(failure: Failure, id: string): string;
export interface FailurePageOptions {
    readonly views: Views;
    readonly log: Log;
}
/** Input of an error page. */
export interface FailedExchange {
    readonly exchange: Exchange;
    readonly context: Context;
    readonly request: Request;
}
/**
 * Renders an error in the site's layout, through `www-render-page`, which the project may have replaced; if that
 * fails too, renders the plain page.
 */
export declare function renderFailure(failure: Failure, { exchange, context, request }: FailedExchange, { views, log }: FailurePageOptions): Promise<string>;
