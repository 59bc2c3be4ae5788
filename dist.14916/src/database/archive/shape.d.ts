import * as z from 'zod';
import type { Dialect } from '../database.ts';
/** Format that this version writes, and the newest that it reads. */
export declare const FORMAT = 1;
/** First word of every archive. */
export declare const MARK = "treadle archive";
/** How a column's values are written and compared, independent of the database's type. */
declare const COLUMN_KINDS: readonly ['integer', 'real', 'text', 'json', 'blob', 'other'];
export type ColumnKind = (typeof COLUMN_KINDS)[number];
declare const ArchiveColumn: z.ZodObject<{
    name: z.ZodString;
    kind: z.ZodEnum<{
        blob: "blob";
        integer: "integer";
        json: "json";
        other: "other";
        real: "real";
        text: "text";
    }>;
    type: z.ZodOptional<z.ZodString>;
    isRequired: z.ZodBoolean;
    default: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodNumber]>>;
    references: z.ZodOptional<z.ZodObject<{
        table: z.ZodString;
        column: z.ZodString;
        onDelete: z.ZodEnum<{
            cascade: "cascade";
            "no action": "no action";
            restrict: "restrict";
            "set default": "set default";
            "set null": "set null";
        }>;
    }, z.core.$strict>>;
}, z.core.$strict>;
export type ArchiveColumn = z.infer<typeof ArchiveColumn>;
declare const ArchiveTable: z.ZodObject<{
    name: z.ZodString;
    columns: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        kind: z.ZodEnum<{
            blob: "blob";
            integer: "integer";
            json: "json";
            other: "other";
            real: "real";
            text: "text";
        }>;
        type: z.ZodOptional<z.ZodString>;
        isRequired: z.ZodBoolean;
        default: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodNumber]>>;
        references: z.ZodOptional<z.ZodObject<{
            table: z.ZodString;
            column: z.ZodString;
            onDelete: z.ZodEnum<{
                cascade: "cascade";
                "no action": "no action";
                restrict: "restrict";
                "set default": "set default";
                "set null": "set null";
            }>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    primaryKey: z.ZodArray<z.ZodString>;
    isCounting: z.ZodBoolean;
    indexes: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        columns: z.ZodArray<z.ZodString>;
        isUnique: z.ZodBoolean;
        only: z.ZodOptional<z.ZodString>;
    }, z.core.$strict>>;
}, z.core.$strict>;
/** A table as an archive describes it. */
export type ArchiveTable = z.infer<typeof ArchiveTable>;
/** First line of an archive. */
export declare const Header: z.ZodObject<{
    archive: z.ZodLiteral<"treadle archive">;
    format: z.ZodInt;
    treadle: z.ZodString;
    project: z.ZodString;
    at: z.ZodString;
    dialect: z.ZodEnum<{
        postgres: "postgres";
        sqlite: "sqlite";
    }>;
    model: z.ZodString;
    tables: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        columns: z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            kind: z.ZodEnum<{
                blob: "blob";
                integer: "integer";
                json: "json";
                other: "other";
                real: "real";
                text: "text";
            }>;
            type: z.ZodOptional<z.ZodString>;
            isRequired: z.ZodBoolean;
            default: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodNumber]>>;
            references: z.ZodOptional<z.ZodObject<{
                table: z.ZodString;
                column: z.ZodString;
                onDelete: z.ZodEnum<{
                    cascade: "cascade";
                    "no action": "no action";
                    restrict: "restrict";
                    "set default": "set default";
                    "set null": "set null";
                }>;
            }, z.core.$strict>>;
        }, z.core.$strict>>;
        primaryKey: z.ZodArray<z.ZodString>;
        isCounting: z.ZodBoolean;
        indexes: z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            columns: z.ZodArray<z.ZodString>;
            isUnique: z.ZodBoolean;
            only: z.ZodOptional<z.ZodString>;
        }, z.core.$strict>>;
    }, z.core.$strict>>;
    left: z.ZodArray<z.ZodString>;
    hasFiles: z.ZodBoolean;
}, z.core.$strict>;
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
/** Lines other than rows. */
export declare const Line: z.ZodUnion<readonly [z.ZodObject<{
    table: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    end: z.ZodString;
    rows: z.ZodInt;
    sha256: z.ZodString;
    counter: z.ZodOptional<z.ZodInt>;
}, z.core.$strict>, z.ZodObject<{
    file: z.ZodString;
    bytes: z.ZodInt;
}, z.core.$strict>, z.ZodObject<{
    part: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    fileEnd: z.ZodString;
    sha256: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    tables: z.ZodInt;
    rows: z.ZodInt;
    files: z.ZodInt;
    sha256: z.ZodString;
}, z.core.$strict>]>;
export type Line = z.infer<typeof Line>;
/**
 * A column's value as JSON. A number that JSON cannot hold, or bytes, are wrapped in an object with a
 * letter.
 */
export type Encoded = null | string | number | {
    readonly i: string;
} | {
    readonly f: string;
} | {
    readonly b: string;
};
export type EncodedRow = readonly Encoded[];
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
export {};
