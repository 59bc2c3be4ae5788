import type { Row } from '../../database/database.ts';
import type { LoggedAttempt } from './log-sql.ts';
/** Formats unix seconds for pages; undefined if there is no value. */
export declare const toTime: (seconds: unknown) => string | undefined;
export declare const toStateChoices: (chosen: unknown) => Row[];
/** A delivery of `webhook-delivery-search` for a page. */
export declare function toDeliveryView(row: Row): Row;
/** A receiver of `webhook-receiver-search` for a page. */
export declare function toReceiverView(row: Row): Row;
/** Lists the receivers that were skipped, with reasons. @param results Of an event that sends again. */
export declare function toSkippedText(results: Row): string;
/** Indents JSON; returns other text unchanged. */
export declare function toPretty(text: string): string;
/** One attempt for a page; headers as lines. */
export declare function toAttemptView(attempt: LoggedAttempt): Row;
