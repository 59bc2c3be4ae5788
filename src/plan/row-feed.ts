import type { Messages } from '../core/response.ts';

/** A row on its way into an import, with the place that messages name. */
export interface FedRow {
  /** Line of the file, or the entry's number in a list; from 1. */
  readonly line: number;
  /** An object of columns (or names of fields) and values; anything else is a bad row. */
  readonly values: unknown;
  /** Why it could not be read; such a row is a bad one. */
  readonly fault?: string;
}

export interface RowFeedOptions {
  /** Rows as they are read, some hundred at a time; each batch is written before the one after the next is asked for. */
  readonly batches: AsyncIterable<readonly FedRow[]>;
  /** Told of each row that is not taken: messages by column. */
  readonly refuse?: (row: FedRow, messages: Readonly<Messages>) => void;
  /** Takes the good rows though others are bad. Default false: all or none. */
  readonly skipsBad?: boolean;
  /**
   * Whether the rows are the project's own data coming back: times of creation and change, uuids, addresses and hashed
   * passwords are then kept as the rows have them. Default false: Treadle sets those itself.
   */
  readonly isOwn?: boolean;
  /** Whether a row that is there already is a bad one instead of being changed. Default false. */
  readonly isNew?: boolean;
}

/**
 * Rows that come as they are read, for the event `system-model-import`: its stage's `rows` may be one of these beside a
 * list. Only code of this process can make one, so that no request from outside can set its options.
 */
export class RowFeed {
  readonly options: RowFeedOptions;

  constructor(options: RowFeedOptions) {
    this.options = options;
  }
}
