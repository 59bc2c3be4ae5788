export type Data = Record<string, unknown>;
/** Match of a route: its event, named parameters and positional variables. */
export interface Route {
    readonly event: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly variables: readonly string[];
    readonly method: string;
    readonly path: string;
}
/**
 * Source of a request's default data. A part given as a function is computed on first access, so that a
 * request which never reads cookies does not parse them.
 */
export interface RequestSource {
    readonly method?: string;
    /** Path without query, as in the request line. */
    readonly path?: string;
    /** Raw query string without `?`. */
    readonly query?: string;
    readonly args?: readonly string[];
    readonly get?: () => Data;
    readonly post?: () => Data;
    readonly files?: () => Data;
    readonly cookie?: () => Data;
    readonly session?: () => Data;
    readonly server?: () => Data;
    /** A header by its lower-case name, without creating all of the server data. */
    readonly header?: (name: string) => string | undefined;
    /** Whether the client has disconnected. */
    readonly isGone?: () => boolean;
    /** Raw body text. */
    readonly body?: () => unknown;
}
