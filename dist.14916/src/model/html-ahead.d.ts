import type { Request } from '../core/request.ts';
import type { HtmlCleaner } from './field-kind-row.ts';
import type { ColumnModel } from './model.ts';
/**
 * The HTML cleaned beforehand for a request, as a cleaner that also cleans other texts; undefined if there is
 * none.
 */
export declare const findCleaned: (request: Request) => HtmlCleaner | undefined;
/** Shares the cleaned HTML with another request, such as an operation of a batch. */
export declare function shareCleaned(from: Request, to: Request): void;
/** True if a column holds HTML. */
export declare const isRich: ({ field }: ColumnModel) => boolean;
/**
 * Cleans the long HTML of a request's rows before a transaction starts, since all other writes wait for an
 * open transaction. A refused text is refused later, when its row is written. Does nothing if already done.
 */
export declare function cleanAhead(request: Request, columns: readonly ColumnModel[], rows: readonly unknown[], cleaner: HtmlCleaner | undefined): Promise<void>;
