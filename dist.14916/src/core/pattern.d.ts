/** A route pattern, compiled. */
export interface Pattern {
    readonly source: string;
    /** Lower-case path of a pattern without parameters: looked up, not matched. */
    readonly fixed: string | undefined;
    readonly names: readonly string[];
    /** Higher is more specific: fixed segments before parameters, then `*`, then `**`. */
    readonly weight: string;
    match(path: string): PatternMatch | undefined;
    /** As {@link match}, but for a path with invalid percent-encoding or line breaks too: what guards must not miss it. */
    covers(path: string): boolean;
}
export interface PatternMatch {
    readonly parameters: Readonly<Record<string, string>>;
    readonly variables: readonly string[];
}
/** Removes a trailing slash and converts to lower case: routes match fixed segments in any case. */
export declare function toFixedPath(path: string): string;
/**
 * Compiles a route pattern. `:name` is a parameter of one segment; `*` is one segment and `**` the rest,
 * both positional variables in order. Fixed segments match in any case; a trailing slash is optional. A
 * segment with invalid percent-encoding matches nothing.
 */
export declare function compilePattern(source: string): Pattern;
/**
 * Compiles a name pattern: `%s` and `*` match one or more characters and are captured, so `system-model-*`
 * matches every model event.
 */
export declare function compileNamePattern(source: string): RegExp;
/** Whether a listener's event name is a pattern. */
export declare const isNamePattern: (name: string) => boolean;
