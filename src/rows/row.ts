/** A row of the file, with its place for messages. */
interface FileRow {
  /** Line in the file, from 1; in a JSON list the number of the entry. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A row with a syntax error. */
interface BrokenRow {
  readonly line: number;
  readonly message: string;
}

/** What a row of JSON must keep to. */
export interface RowRules {
  /** Whether a row larger than a body is reported in place of being parsed. */
  readonly isBounded: boolean;
  /** Keys whose numbers may lose no digits after the point. */
  readonly exact?: ReadonlySet<string> | undefined;
}

export type ReadRow = FileRow | BrokenRow;
/** Rows as they are read, in chunks. */
export type RowStream = AsyncIterable<readonly ReadRow[]>;
