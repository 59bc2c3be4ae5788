import type { CallFacts } from './call-facts.ts';
import { type Key, RequestParts } from './request-parts.ts';
import type { Data, RequestSource, Route } from './request-source.ts';
export type { Data, RequestSource, Route } from './request-source.ts';
/**
 * The request that listeners get: a registry with named parts.
 * Parts: `args`, `body`, `cookie`, `files`, `get`, `post`, `server`, `path`, `method`, `query`, `session`,
 * `stage`, `route`. `has…` is false for null. Setters return the request. Needs no argument; {@link
 * Request.load} fills it from the runtime's source.
 */
export declare class Request extends RequestParts {
    #private;
    /**
     * Facts about the REST call that the request used; undefined for a page, a command and a request made by
     * code.
     */
    callFacts: CallFacts | undefined;
    constructor(source?: RequestSource);
    /** Loads the runtime's default data, and fills the stage from query, then post, then route parameters. */
    load(source?: RequestSource): this;
    getStage(...path: Key[]): unknown;
    hasStage(...path: Key[]): boolean;
    removeStage(...path: Key[]): this;
    /** Sets a value at a path, or each top-level key of an object. */
    setStage(...pathAndValue: unknown[]): this;
    /** Adds to the stage without overwriting existing values. */
    setSoftStage(data: Data): this;
    /**
     * Like {@link Request.setStage} with an object, for input: {@link Request.isBrought} is then true for it.
     */
    bringStage(data: Data): this;
    /**
     * Whether the stage's value at a path is input (query, body or path) that code has not overwritten. An
     * object or list from the query or body remains input, even if code puts it into the stage of this or
     * another request.
     */
    isBrought(...path: [Key, ...Key[]]): boolean;
    record(): () => void;
    set(...pathAndValue: unknown[]): this;
    /** The raw body as text (or bytes for a non-text type). */
    getContent(): unknown;
    setContent(content: unknown): this;
    hasContent(): boolean;
    getArgs(): readonly string[];
    setArgs(args: readonly string[]): this;
    /** The method in upper case. */
    getMethod(): string;
    setMethod(method: string): this;
    isMethod(name: string): boolean;
    /** The path as `{ string, array }`, or one of the two. The array starts with an empty string. */
    getPath(): {
        string: string;
        array: string[];
    };
    getPath(form: 'string'): string;
    getPath(form: 'array'): string[];
    getPath(index: number): string | undefined;
    setPath(path: string | readonly string[]): this;
    getQuery(): string;
    setQuery(query: string): this;
    /** Route data: `event`, `parameters` (name to value), `variables` (positional), `method`, `path`. */
    getRoute(): Route | undefined;
    getRoute(name: 'event' | 'method' | 'path'): string | undefined;
    getRoute(name: string): unknown;
    setRoute(route: Partial<Route>): this;
    getParameters(): Readonly<Record<string, string>>;
    getParameters(name: string): string | undefined;
    getVariables(): readonly string[];
    getVariables(index: number): string | undefined;
    /**
     * The serialized form: `args`, `body`, `cookie`, `files`, `post`, `server`, `path`, `method`, `query`,
     * `session`, `route`.
     */
    toJSON(): Data;
}
