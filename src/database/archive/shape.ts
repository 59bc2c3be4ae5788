import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
import type { Dialect } from '../database.ts';

/** Format of an archive without decimals, which earlier versions read, and of one that has some. */
export const FORMAT = 1;
export const DECIMAL_FORMAT = 2;
/** First word of every archive. */
export const MARK = 'treadle archive';

/** How a column's values are written and compared, independent of the database's type. */
export const COLUMN_KINDS = ['integer', 'real', 'text', 'json', 'blob', 'decimal', 'other'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

const Name = defer(() =>
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\0]+$/),
);
const OnDelete = defer(() => z.enum(['restrict', 'cascade', 'set null', 'no action', 'set default']));

const ArchiveColumn = defer(() =>
  z.strictObject({
    name: Name,
    kind: z.enum(COLUMN_KINDS),
    /** The type in the source database; used again for a target of the same dialect. */
    type: z
      .string()
      .max(200)
      .regex(/^[a-z][a-z0-9 _(),"]*$/i)
      .optional(),
    /** Of a decimal: its digits in all, and those after the point. Its values are texts with all of them. */
    precision: z.int().min(1).max(15).optional(),
    scale: z.int().min(0).max(15).optional(),
    isRequired: z.boolean(),
    default: z.union([z.string(), z.number()]).optional(),
    references: z.strictObject({ table: Name, column: Name, onDelete: OnDelete }).optional(),
  }),
);
export type ArchiveColumn = z.infer<typeof ArchiveColumn>;

const ArchiveIndex = defer(() =>
  z.strictObject({
    name: Name,
    columns: z.array(Name).min(1),
    isUnique: z.boolean(),
    only: Name.optional(),
  }),
);

const ArchiveTable = defer(() =>
  z.strictObject({
    name: Name,
    columns: z.array(ArchiveColumn).min(1),
    primaryKey: z.array(Name),
    isCounting: z.boolean(),
    indexes: z.array(ArchiveIndex),
  }),
);
/** A table as an archive describes it. */
export type ArchiveTable = z.infer<typeof ArchiveTable>;

/** First line of an archive. */
export const Header = defer(() =>
  z.strictObject({
    archive: z.literal(MARK),
    format: z.int(),
    /** Version of Treadle that wrote it. */
    treadle: z.string(),
    /** Name of the project from its settings. */
    project: z.string(),
    /** Time of the snapshot, `YYYY-MM-DD HH:MM:SS`, UTC. */
    at: z.string(),
    dialect: z.enum(['sqlite', 'postgres']),
    /** Digest of all tables that the definitions ask for. */
    model: z.string(),
    tables: z.array(ArchiveTable),
    /** Parts of the database that are not archived: triggers, views and indexes that users created. */
    left: z.array(z.string()),
    /** Whether it contains uploaded files. */
    hasFiles: z.boolean(),
  }),
);
export type Header = z.infer<typeof Header>;

/** Sums of a table, written after its rows. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  /** Sum of the SHA-256 of each row, independent of the order of rows. */
  readonly sha256: string;
  /** The highest id ever given; new rows get higher ones. */
  readonly counter?: number | undefined;
}

const Count = defer(() => z.int().min(0));
const Sha = defer(() => z.string().regex(/^[0-9a-f]{64}$/));
/** Lines other than rows. */
export const Line = defer(() =>
  z.union([
    z.strictObject({ table: Name }),
    z.strictObject({ end: Name, rows: Count, sha256: Sha, counter: Count.optional() }),
    z.strictObject({ file: z.string().min(1), bytes: Count }),
    z.strictObject({ part: z.string() }),
    z.strictObject({ fileEnd: z.string(), sha256: Sha }),
    z.strictObject({ tables: Count, rows: Count, files: Count, sha256: Sha }),
  ]),
);
export type Line = z.infer<typeof Line>;

/**
 * A column's value as JSON. A number that JSON cannot hold, or bytes, are wrapped in an object with a
 * letter.
 */
export type EncodedValue =
  | null
  | string
  | number
  | { readonly i: string }
  | { readonly f: string }
  | { readonly b: string };
export type EncodedRow = readonly EncodedValue[];

/** Source of rows: an archive, or another database's snapshot. */
export interface RowSource {
  readonly dialect: Dialect;
  readonly tables: readonly ArchiveTable[];
  /** The rows of each table in batches, followed by the expected sums. */
  read(): AsyncIterable<RowBatch | TableSum>;
}

export interface RowBatch {
  readonly table: string;
  readonly batch: readonly EncodedRow[];
}
