export { toDateText, toRelative } from './format-date.ts';
/** Input of a format. */
interface FormatInput {
    readonly value: unknown;
    readonly parameters: readonly (string | number)[];
    /** The row of the value, for `link`, `formula` and `custom`. */
    readonly row: Readonly<Record<string, unknown>>;
    /** Milliseconds since 1970. */
    readonly now: number;
}
/** A display format. */
export interface FormatKind {
    /** One line for the docs. */
    readonly description: string;
    /** Names of its parameters, in order. */
    readonly parameters: readonly string[];
    /** True if it gives HTML that is safe to insert; otherwise the page must escape the text. */
    readonly isHtml: boolean;
    apply(input: FormatInput): string;
}
export interface FormatContext {
    readonly row?: Readonly<Record<string, unknown>>;
    readonly now?: number;
}
/** Every format of lists and detail pages, by name. */
export declare const formats: Readonly<Record<string, FormatKind>>;
/**
 * A formatted value: safe HTML if `formats[format].isHtml`, else text that the page must escape. An unknown
 * format leaves the value unchanged.
 */
export declare function toFormatted(format: string, value: unknown, parameters?: readonly (string | number)[], context?: FormatContext): string;
