import { Registry } from './registry.ts';
import type { Data, RequestSource } from './request-source.ts';
export type Key = string | number;
export declare const LAZY: readonly ['cookie', 'files', 'get', 'post', 'server', 'session', 'body'];
/** The named parts of a request with their accessors. Each is created from the source on first access. */
export declare class RequestParts extends Registry {
    #private;
    protected source: RequestSource;
    constructor(source: RequestSource);
    protected part(name: string): Data;
    get(...path: Key[]): unknown;
    set(...pathAndValue: unknown[]): this;
    remove(...path: Key[]): this;
    protected touchPart(name: string): void;
    protected readPart(part: string, path: Key[]): unknown;
    protected writePart(part: string, pathAndValue: unknown[]): this;
    protected hasPart(part: string, path: Key[]): boolean;
    protected dropPart(part: string, path: Key[]): this;
    getPost(...path: Key[]): unknown;
    setPost(...pathAndValue: unknown[]): this;
    hasPost(...path: Key[]): boolean;
    removePost(...path: Key[]): this;
    getGet(...path: Key[]): unknown;
    setGet(...pathAndValue: unknown[]): this;
    hasGet(...path: Key[]): boolean;
    removeGet(...path: Key[]): this;
    getCookies(...path: Key[]): unknown;
    setCookies(...pathAndValue: unknown[]): this;
    hasCookies(...path: Key[]): boolean;
    removeCookies(...path: Key[]): this;
    getFiles(...path: Key[]): unknown;
    setFiles(...pathAndValue: unknown[]): this;
    hasFiles(...path: Key[]): boolean;
    removeFiles(...path: Key[]): this;
    getSession(...path: Key[]): unknown;
    setSession(...pathAndValue: unknown[]): this;
    hasSession(...path: Key[]): boolean;
    removeSession(...path: Key[]): this;
    /** Number of session changes since the request was created; 0 means nothing to save. */
    get sessionChanges(): number;
    getServer(key?: string): unknown;
    setServer(...keyAndValue: unknown[]): this;
    hasServer(key?: string): boolean;
    /** A header by its lower-case name; undefined if missing or empty. Does not create the server data. */
    getHeader(name: string): string | undefined;
    /** Whether the client has disconnected: expensive work need not start. */
    isGone(): boolean;
}
