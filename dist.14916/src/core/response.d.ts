import { Registry } from './registry.ts';
import type { Data, Request } from './request.ts';
import type { Tagging } from './tagging.ts';
type Key = string | number;
/** Kinds of flash message, as pages style them. */
declare const FLASH_KINDS: readonly ['info', 'success', 'warning', 'error'];
export type FlashKind = (typeof FLASH_KINDS)[number];
export interface Flash {
    readonly message: string;
    readonly type: FlashKind;
    readonly list?: readonly string[];
}
/** Messages by field; of a fieldset by group (`0`, `1` … where it has many) and field. */
export interface Messages {
    [field: string]: string | Messages;
}
/** An expected failure, as data. */
export interface Refusal {
    readonly status: number;
    readonly message: string;
    readonly validation?: Readonly<Messages>;
}
/** A response that is not text: a file or a stream that the runtime sends. */
export interface Sendable {
    readonly stream: NodeJS.ReadableStream;
    readonly bytes?: number;
}
/**
 * The response that listeners get: a registry with the parts `headers`, `code`, `json` (`error`, `message`,
 * `validation`, `results`), `page` and `body`.
 * Setters return the response. Needs no argument.
 */
export declare class Response extends Registry {
    #private;
    /** How the runtime makes the ETag; undefined: of the bytes. */
    tagging: Tagging | undefined;
    /** A body that was made before, as JSON; sent in place of the results, with the ETag among the headers. */
    kept: string | undefined;
    constructor(request?: Request);
    /** Sets the defaults: 200, HTML, no content. */
    load(): this;
    /** The request that this response answers, if the runtime created both. */
    get request(): Request | undefined;
    /** How often an error was set; distinguishes a listener's error from an earlier one. */
    get faults(): number;
    /**
     * Keeps this page for visitors without a cookie until a row of these schemas, or of one that the page read, changes. The
     * page may depend on the address and on rows only. Kept in production, 16 MB of pages in all.
     */
    setCache(...schemas: readonly string[]): this;
    /** What {@link Response.setCache} was given. */
    get caching(): readonly string[] | undefined;
    getContent(): unknown;
    hasContent(): boolean;
    /** Sets the body. Values other than text and bytes become indented JSON. */
    setContent(content: unknown): this;
    addHeader(name: string, value: string | readonly string[]): this;
    getHeaders(): Record<string, string | readonly string[]>;
    getHeaders(name: string): string | readonly string[] | undefined;
    removeHeader(name: string): this;
    removeHeaders(): this;
    /** HTTP status code, 200 by default. */
    getStatus(): number;
    setStatus(status: number, text?: string): this;
    getMeta(): Data;
    addMeta(name: string, content: string): this;
    getPage(...path: Key[]): unknown;
    hasPage(...path: Key[]): boolean;
    setPage(...pathAndValue: unknown[]): this;
    setTitle(title: string): this;
    removePage(...path: Key[]): this;
    /**
     * The flash message for this page: set on this response, or left in the session by an earlier request.
     * Reading removes it from the session, so that it is shown once.
     */
    getFlash(): Flash | undefined;
    setFlash(message: string, type?: FlashKind, list?: readonly string[]): this;
    /** Posted values, so that a form can show the input again. */
    getPost(...path: Key[]): unknown;
    /**
     * All results, or the value at a path.
     * @template T Type expected by the caller; not checked.
     */
    getResults<T = unknown>(...path: Key[]): T;
    hasResults(...path: Key[]): boolean;
    /** Sets all results, or the last argument at the path given by the others. */
    setResults(...pathAndValue: unknown[]): this;
    removeResults(...path: Key[]): this;
    /** Marks the response as failed (or not), with a message. During an emit this stops the later listeners. */
    setError(flag: boolean, message?: string): this;
    /** Sets status, message and validation of an expected failure, and removes the results. */
    refuse({ status, message, validation }: Refusal): void;
    /** Sets the results and marks success. An error that was set before stays. */
    succeed(results: unknown): void;
    isError(): boolean;
    isSuccess(): boolean;
    getMessage(): string | undefined;
    hasMessage(): boolean;
    getMessageType(): 'error' | 'success' | 'info';
    /** Messages by field; undefined if the field at the path is valid. */
    getValidation(...path: Key[]): unknown;
    hasValidation(...path: Key[]): boolean;
    addValidation(...pathAndMessage: unknown[]): this;
    /** Replaces all validation messages. */
    setValidation(messages: Readonly<Data>): this;
    removeValidation(...path: Key[]): this;
    /** Whether the response is data: results, an error or validation was set. */
    hasJson(): boolean;
    /** Redirects the browser. 303 by default, so that a GET follows a POST. */
    setRedirect(location: string, status?: 301 | 302 | 303 | 307 | 308): this;
    isRedirect(): boolean;
    /** Sends a stream instead of text; the runtime destroys it when the client disconnects. */
    setStream(sendable: Sendable): this;
    getStream(): Sendable | undefined;
    /** Whether a body, a stream or a redirect was set: the route has answered. */
    isAnswered(): boolean;
    /** Declares the JSON envelope (or an empty body) to be the complete response. */
    setAnswered(): this;
    toJSON(): Data;
}
export {};
