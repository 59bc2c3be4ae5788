import type { Messages, Refusal } from '../../core/request/response.ts';

/** A failure inside a write: thrown to roll the write back, then set on the response. */
export class RowFailure extends Error {
  readonly failure: Refusal;

  constructor(failure: Refusal) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A row to import, with its position for messages. */
export interface FedRow {
  /** Line of the file, or number in the list; from 1. */
  readonly line: number;
  /** An object of columns (or field names) and values; anything else makes a bad row. */
  readonly values: unknown;
  /** Why the row could not be read; it is then a bad row. */
  readonly error?: string;
}

export interface RowFeedOptions {
  /** Batches of some hundred rows. At most one batch is read ahead of the one being written. */
  readonly batches: AsyncIterable<readonly FedRow[]>;
  /** Called for each rejected row, with messages by column. */
  readonly refuse?: (row: FedRow, messages: Readonly<Messages>) => void;
  /** True to import the good rows even if others are bad. Default false: all or none. */
  readonly skipsBad?: boolean;
  /**
   * True if the rows are the project's own exported data: keeps their times, uuids, addresses and hashed
   * passwords. Default false: Treadle sets these.
   */
  readonly isOwn?: boolean;
  /**
   * The keys that rows may have, if they come from a person's file: checked against what the person's roles may write. Default:
   * the rows come from code and are not checked.
   */
  readonly keys?: readonly string[];
  /** True if an existing row makes a bad row instead of being changed. Default false. */
  readonly isNew?: boolean;
}

/** The event that takes a feed; a plain text, because its type says a list of rows for everybody else. */
export const IMPORT: string = 'system-model-import';

/**
 * Rows that are streamed to the event `system-model-import`; the stage's `rows` may be this or a list. Only
 * code of this process can create one, so no request can set its options.
 */
export class RowFeed {
  readonly options: RowFeedOptions;

  constructor(options: RowFeedOptions) {
    this.options = options;
  }
}
