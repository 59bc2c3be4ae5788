import type { IsSecret } from './secret-name.ts';
/**
 * Turns an event's results into a hook's data. For an update it adds the names of changed columns, except
 * the `updated` time.
 */
export declare function toData(event: string, results: unknown, updated: string | undefined): unknown;
/**
 * Minified JSON of a hook's data: only the columns that it sends, no passwords or tokens, limited in size.
 */
export declare function printData(data: unknown, options: {
    readonly fields: readonly string[] | undefined;
    readonly isSecret: IsSecret;
}): string;
