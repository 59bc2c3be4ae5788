/** A row as the file has it, with the place that a message names. */
interface FileRow {
  /** Line in the file, from 1; in a JSON list the number of the entry. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A row that could not be read. */
interface BrokenRow {
  readonly line: number;
  readonly message: string;
}

export type ReadRow = FileRow | BrokenRow;
/** Rows as they are read, a piece of the file at a time. */
export type RowStream = AsyncIterable<readonly ReadRow[]>;
