/** True if a hook's data are a row of the schema in its `parameters`, so that the columns are known. */
export declare function hasRow(event: string): boolean;
/** True if an event changes nothing, judging by its name: a search, a detail, the rendering of a page. */
export declare const isRead: (event: string) => boolean;
/**
 * Compiles the `event` of a hook to a test of event names. A pattern does not match events that only read: it
 * is meant for changes, and would report every read. A full name matches any event.
 */
export declare function compileHookEvent(wanted: string): (event: string) => boolean;
/** The event with the previous row in its data. */
export declare const UPDATE = "system-model-update";
/**
 * What an update's data contain in addition to the row: the previous row, and the names of the changed
 * columns.
 */
export declare const ORIGINAL = "original";
export declare const CHANGED = "changed";
type Sample = Readonly<Record<string, unknown>>;
/**
 * A sample row as the data of an event. For an update one column has changed: the one that the filter waits
 * for, else the first text column.
 *
 * @param fields The columns to send. Default: all.
 */
export declare function toEventSample(row: Sample, hook: {
    readonly event: string;
    readonly filter?: Sample | undefined;
    readonly fields?: readonly string[] | undefined;
}): Record<string, unknown>;
export {};
