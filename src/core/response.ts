import { Registry, readPath, safeCopy } from './registry.ts';
import type { Data, Request } from './request.ts';
import type { Tagging } from './tagging.ts';
import { toLocalText } from './translate.ts';

type Key = string | number;

/** Kinds of flash message, as pages style them. */
const FLASH_KINDS = ['info', 'success', 'warning', 'error'] as const;
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

/** Messages in the language of the request, at any depth. */
function toLocalMessage(value: unknown): unknown {
  if (typeof value === 'string') return toLocalText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toLocalMessage(item)]));
}

const toLocalFlash = ({ message, list, ...rest }: Flash): Flash => ({
  ...rest,
  message: toLocalText(message),
  ...(list ? { list: list.map(toLocalText) } : {}),
});

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
export class Response extends Registry {
  #request: Request | undefined;
  #faults = 0;
  /** How the runtime makes the ETag; undefined: of the bytes. */
  tagging: Tagging | undefined;
  /** A body that was made before, as JSON; sent in place of the results, with the ETag among the headers. */
  kept: string | undefined;
  #caching: readonly string[] | undefined;

  constructor(request?: Request) {
    super();
    this.#request = request;
    this.load();
  }

  /** Sets the defaults: 200, HTML, no content. */
  load(): this {
    Object.assign(this.data, { headers: {}, code: { status: 200, text: 'OK' }, json: {}, page: {}, body: undefined });
    return this;
  }

  /** The request that this response answers, if the runtime created both. */
  get request(): Request | undefined {
    return this.#request;
  }

  /** How often an error was set; distinguishes a listener's error from an earlier one. */
  get faults(): number {
    return this.#faults;
  }

  get #json(): Data {
    return this.data.json as Data;
  }
  get #page(): Data {
    return this.data.page as Data;
  }

  /**
   * Keeps this page for visitors without a cookie until a row of these schemas, or of one that the page read, changes. The
   * page may depend on the address and on rows only. Kept in production, 16 MB of pages in all.
   */
  setCache(...schemas: readonly string[]): this {
    this.#caching = schemas;
    return this;
  }

  /** What {@link Response.setCache} was given. */
  get caching(): readonly string[] | undefined {
    return this.#caching;
  }

  getContent(): unknown {
    return this.data.body;
  }
  hasContent(): boolean {
    return this.data.body !== undefined && this.data.body !== null && this.data.body !== '';
  }

  /** Sets the body. Values other than text and bytes become indented JSON. */
  setContent(content: unknown): this {
    const isPlain =
      content === undefined || content === null || typeof content === 'string' || content instanceof Uint8Array;
    if (isPlain) this.data.body = content;
    else this.data.body = typeof content === 'object' ? JSON.stringify(content, null, 2) : String(content);
    return this;
  }

  addHeader(name: string, value: string | readonly string[]): this {
    (this.data.headers as Data)[name.toLowerCase()] = value;
    return this;
  }

  getHeaders(): Record<string, string | readonly string[]>;
  getHeaders(name: string): string | readonly string[] | undefined;
  getHeaders(name?: string): unknown {
    return name === undefined ? this.data.headers : readPath(this.data.headers, [name.toLowerCase()]);
  }

  removeHeader(name: string): this {
    return this.remove('headers', name.toLowerCase());
  }

  removeHeaders(): this {
    this.data.headers = {};
    return this;
  }

  /** HTTP status code, 200 by default. */
  getStatus(): number {
    return (this.data.code as { status: number }).status;
  }

  setStatus(status: number, text = ''): this {
    this.data.code = { status, text };
    return this;
  }

  getMeta(): Data {
    return (this.#page.meta as Data | undefined) ?? {};
  }
  addMeta(name: string, content: string): this {
    return this.set('page', 'meta', name, content);
  }

  getPage(...path: Key[]): unknown {
    return path.length === 0 ? this.#page : readPath(this.#page, path);
  }
  hasPage(...path: Key[]): boolean {
    return this.exists('page', ...path);
  }
  setPage(...pathAndValue: unknown[]): this {
    const [name, value] = pathAndValue;
    if (name === 'title' && typeof value === 'string') return this.setTitle(value);
    return this.set('page', ...pathAndValue);
  }
  setTitle(title: string): this {
    return this.set('page', 'title', toLocalText(title));
  }

  removePage(...path: Key[]): this {
    if (path.length > 0) return this.remove('page', ...path);
    this.data.page = {};
    return this;
  }

  /**
   * The flash message for this page: set on this response, or left in the session by an earlier request.
   * Reading removes it from the session, so that it is shown once.
   */
  getFlash(): Flash | undefined {
    const own = this.#page.flash as Flash | undefined;
    if (own) return toLocalFlash(own);
    const kept = this.#request?.getSession('flash') as Flash | undefined;
    if (!kept) return undefined;
    this.#request?.removeSession('flash');
    this.#page.flash = kept;
    return toLocalFlash(kept);
  }

  setFlash(message: string, type: FlashKind = 'info', list?: readonly string[]): this {
    this.#page.flash = list ? { message, type, list } : { message, type };
    return this;
  }

  /** Posted values, so that a form can show the input again. */
  getPost(...path: Key[]): unknown {
    return this.#request?.getPost(...path);
  }

  /**
   * All results, or the value at a path.
   * @template T Type expected by the caller; not checked.
   */
  getResults<T = unknown>(...path: Key[]): T {
    const results = this.#json.results;
    return (path.length === 0 ? results : readPath(results, path)) as T;
  }

  hasResults(...path: Key[]): boolean {
    const results = this.getResults(...path);
    return results !== undefined && results !== null;
  }

  /** Sets all results, or the last argument at the path given by the others. */
  setResults(...pathAndValue: unknown[]): this {
    if (pathAndValue.length === 1) this.#json.results = pathAndValue[0];
    else this.set('json', 'results', ...pathAndValue);
    return this;
  }

  removeResults(...path: Key[]): this {
    return this.remove('json', 'results', ...path);
  }

  /** Marks the response as failed (or not), with a message. During an emit this stops the later listeners. */
  setError(flag: boolean, message?: string): this {
    this.#json.error = flag;
    if (message !== undefined) this.#json.message = toLocalText(message);
    else if (!flag) delete this.#json.message;
    if (flag) this.#faults += 1;
    return this;
  }

  /** Sets status, message and validation of an expected failure, and removes the results. */
  refuse({ status, message, validation = {} }: Refusal): void {
    for (const [field, text] of Object.entries(validation)) this.addValidation(field, text);
    this.removeResults().setStatus(status).setError(true, message);
  }

  /** Sets the results and marks success. An error that was set before stays. */
  succeed(results: unknown): void {
    if (!this.isError()) this.setError(false);
    this.setResults(results);
  }

  isError(): boolean {
    return this.#json.error === true;
  }
  isSuccess(): boolean {
    return this.#json.error === false;
  }

  getMessage(): string | undefined {
    return this.#json.message as string | undefined;
  }
  hasMessage(): boolean {
    return this.#json.message !== undefined;
  }

  getMessageType(): 'error' | 'success' | 'info' {
    if (this.isError()) return 'error';
    return this.isSuccess() ? 'success' : 'info';
  }

  /** Messages by field; undefined if the field at the path is valid. */
  getValidation(...path: Key[]): unknown {
    const validation = (this.#json.validation as Data | undefined) ?? {};
    return path.length === 0 ? validation : readPath(validation, path);
  }

  hasValidation(...path: Key[]): boolean {
    const found = this.getValidation(...path);
    return path.length === 0 ? Object.keys(found as Data).length > 0 : found !== undefined;
  }

  addValidation(...pathAndMessage: unknown[]): this {
    const message = pathAndMessage.at(-1);
    return this.set('json', 'validation', ...pathAndMessage.slice(0, -1), toLocalMessage(message));
  }

  /** Replaces all validation messages. */
  setValidation(messages: Readonly<Data>): this {
    this.#json.validation = toLocalMessage(safeCopy(messages));
    return this;
  }

  removeValidation(...path: Key[]): this {
    return this.remove('json', 'validation', ...path);
  }

  /** Whether the response is data: results, an error or validation was set. */
  hasJson(): boolean {
    return Object.keys(this.#json).length > 0;
  }

  /** Redirects the browser. 303 by default, so that a GET follows a POST. */
  setRedirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 303): this {
    return this.addHeader('location', location).setStatus(status);
  }

  isRedirect(): boolean {
    const status = this.getStatus();
    return status >= 300 && status < 400 && this.getHeaders('location') !== undefined;
  }

  /** Sends a stream instead of text; the runtime destroys it when the client disconnects. */
  setStream(sendable: Sendable): this {
    this.data.stream = sendable;
    return this;
  }

  getStream(): Sendable | undefined {
    return this.data.stream as Sendable | undefined;
  }

  /** Whether a body, a stream or a redirect was set: the route has answered. */
  isAnswered(): boolean {
    return this.hasContent() || this.data.stream !== undefined || this.isRedirect() || this.data.answered === true;
  }

  /** Declares the JSON envelope (or an empty body) to be the complete response. */
  setAnswered(): this {
    this.data.answered = true;
    return this;
  }

  override toJSON(): Data {
    const { headers, code, json, page, body } = this.data;
    return { headers, code, json, page, body };
  }
}
