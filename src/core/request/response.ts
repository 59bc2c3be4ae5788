import { toLocalText } from '../text/translate.ts';
import { Registry, readPath, safeCopy } from './registry.ts';
import type { Data, Request } from './request.ts';
import {
  type Flash,
  type FlashKind,
  hearErrors,
  type Refusal,
  type Sendable,
  toLocalFlash,
  toLocalMessage,
} from './response-part.ts';
import type { TagOptions } from './tagging.ts';

export type { Flash, FlashKind, Messages, Refusal, Sendable } from './response-part.ts';

type Key = string | number;

/**
 * What a listener gets as its second argument: a registry with the parts `headers`, `code`, `json` (`error`, `message`, `validation`,
 * `results`), `page` and `body`. An event sets results or an error; a page sets content. Methods that set something return the response.
 * `new Response()` makes an empty one.
 */
export class Response extends Registry {
  #request: Request | undefined;
  /** How often an error was set; distinguishes a listener's error from an earlier one. @internal */
  errorCount = 0;
  /** How often code asked whether and why the event failed. @internal */
  looks = 0;
  /** The last refusal, if no error was set after it. @internal */
  refusal: Refusal | undefined;
  /** How the runtime makes the ETag; undefined: of the bytes. @internal */
  tagging: TagOptions | undefined;
  /** A body that was made before, as JSON; sent in place of the results, with the ETag among the headers. @internal */
  cachedBody: string | Uint8Array | undefined;
  #caching: readonly string[] | undefined;

  constructor(request?: Request) {
    super();
    this.#request = request;
    this.load();
  }

  /** Sets everything back to the start: status 200, no headers, results, page data or content. */
  load(): this {
    Object.assign(this.data, { headers: {}, code: { status: 200, text: 'OK' }, json: {}, page: {}, body: undefined });
    return this;
  }

  /** The request that this response answers; undefined for a response that code made without one. */
  get request(): Request | undefined {
    return this.#request;
  }

  get #json(): Data {
    return this.data.json as Data;
  }
  get #page(): Data {
    return this.data.page as Data;
  }

  /**
   * Keeps this page in memory for visitors without a cookie, until a row that it read changes, or any row of one of these schemas
   * of which it read none. The page may depend on the address and on rows only. Production only; 8 MB of pages in all.
   */
  setCache(...schemas: readonly string[]): this {
    this.#caching = schemas;
    return this;
  }

  /** What {@link Response.setCache} was given. @internal */
  get caching(): readonly string[] | undefined {
    return this.#caching;
  }

  /** The body: text, bytes, or undefined. */
  getContent(): unknown {
    return this.data.body;
  }
  /** Whether there is a body that is not empty. */
  hasContent(): boolean {
    return this.data.body !== undefined && this.data.body !== null && this.data.body !== '';
  }

  /** Sets the body: of a page that `www-render-page` puts into the layout, the main part. Values other than text and bytes become JSON. */
  setContent(content: unknown): this {
    const isPlain =
      content === undefined || content === null || typeof content === 'string' || content instanceof Uint8Array;
    if (isPlain) this.data.body = content;
    else this.data.body = typeof content === 'object' ? JSON.stringify(content, null, 2) : String(content);
    return this;
  }

  /** Sets a header; a list sends it several times. It replaces an earlier one of the same name. */
  addHeader(name: string, value: string | readonly string[]): this {
    (this.data.headers as Data)[name.toLowerCase()] = value;
    return this;
  }

  /** All headers by their names in small letters, or one of them. */
  getHeaders(): Record<string, string | readonly string[]>;
  getHeaders(name: string): string | readonly string[] | undefined;
  getHeaders(name?: string): unknown {
    return name === undefined ? this.data.headers : readPath(this.data.headers, [name.toLowerCase()]);
  }

  /** Removes one header. */
  removeHeader(name: string): this {
    return this.remove('headers', name.toLowerCase());
  }

  /** Removes all headers that code has set. */
  removeHeaders(): this {
    this.data.headers = {};
    return this;
  }

  /** HTTP status code, 200 by default. */
  getStatus(): number {
    this.looks += 1;
    return (this.data.code as { status: number }).status;
  }

  /** Sets the status code, such as 409, and if wanted the reason after it. */
  setStatus(status: number, text = ''): this {
    this.data.code = { status, text };
    return this;
  }

  /** The `<meta>` elements of the page: content by name. */
  getMeta(): Data {
    return (this.#page.meta as Data | undefined) ?? {};
  }
  /** Adds a `<meta>` element, such as `addMeta('description', …)`. The layout decides where it is printed. */
  addMeta(name: string, content: string): this {
    return this.set('page', 'meta', name, content);
  }

  /** Data of the page for the layout, such as `getPage('title')`; all of it without a path. */
  getPage(...path: Key[]): unknown {
    return path.length === 0 ? this.#page : readPath(this.#page, path);
  }
  /** Whether the page has a value at the path. */
  hasPage(...path: Key[]): boolean {
    return this.exists('page', ...path);
  }
  /** Sets the last argument at the path of the arguments before it, `setPage('title', 'Articles')`; the layout finds it as `page.title`. */
  setPage(...pathAndValue: unknown[]): this {
    const [name, value] = pathAndValue;
    if (name === 'title' && typeof value === 'string') return this.setTitle(value);
    return this.set('page', ...pathAndValue);
  }
  /** Sets the title of the page, in the language of the request if it is translated. */
  setTitle(title: string): this {
    return this.set('page', 'title', toLocalText(title));
  }

  /** Removes the value at the path; without a path, all data of the page. */
  removePage(...path: Key[]): this {
    if (path.length > 0) return this.remove('page', ...path);
    this.data.page = {};
    return this;
  }

  /**
   * The message to show on this page: set on this response, or left in the session by an earlier request. Reading it removes it from
   * the session, so that it is shown once.
   */
  getFlash(): Flash | undefined {
    const own = this.#page.flash as Flash | undefined;
    if (own) return toLocalFlash(own);
    const stored = this.#request?.getSession('flash') as Flash | undefined;
    if (!stored) return undefined;
    this.#request?.removeSession('flash');
    this.#page.flash = stored;
    return toLocalFlash(stored);
  }

  /** Sets the message of this page: `info`, `success`, `warning` or `error`. `package('global').flash` shows one on the next page. */
  setFlash(message: string, type: FlashKind = 'info', list?: readonly string[]): this {
    this.#page.flash = list ? { message, type, list } : { message, type };
    return this;
  }

  /** What the request's body had, so that a form can show the input again. */
  getPost(...path: Key[]): unknown {
    return this.#request?.getPost(...path);
  }

  /**
   * The results of the event: all, or the value at a path, `getResults('rows', 0)`. Undefined after an error.
   * @template T The type that you expect; it is not checked.
   */
  getResults<T = unknown>(...path: Key[]): T {
    const results = this.#json.results;
    return (path.length === 0 ? results : readPath(results, path)) as T;
  }

  /** Whether the event has results at the path; null counts as none. `system-model-detail` has none for a row that does not exist. */
  hasResults(...path: Key[]): boolean {
    this.looks += 1;
    const results = this.getResults(...path);
    return results !== undefined && results !== null;
  }

  /** Replaces the results, or sets the last argument at the path of the arguments before it: `setResults('ticket_number', 7)`. */
  setResults(...pathAndValue: unknown[]): this {
    if (pathAndValue.length === 1) this.#json.results = pathAndValue[0];
    else this.set('json', 'results', ...pathAndValue);
    return this;
  }

  /** Removes the value at the path; without a path, all results. */
  removeResults(...path: Key[]): this {
    return this.remove('json', 'results', ...path);
  }

  /**
   * Marks the response as failed, with a message for people, and stops the listeners that would follow. `false` takes the mark back.
   * An error without a status of 400 or more is answered with 422 if it has validation, otherwise with 400; a page that sets content
   * keeps its status.
   */
  setError(flag: boolean, message?: string): this {
    this.#json.error = flag;
    if (message !== undefined) this.#json.message = toLocalText(message);
    else if (!flag) delete this.#json.message;
    if (flag) this.errorCount += 1;
    this.refusal = undefined;
    return this;
  }

  /** Sets status, message and validation of an expected failure, and removes the results: `refuse({ status: 409, message: 'Sold out' })`. */
  refuse(refusal: Refusal): void {
    const { status, message, validation = {} } = refusal;
    for (const [field, text] of Object.entries(validation)) this.addValidation(field, text);
    this.removeResults().setStatus(status).setError(true, message);
    this.refusal = refusal;
  }

  /** Sets the results and marks the event as done. An error that was set before stays. */
  succeed(results: unknown): void {
    if (!this.isError()) this.setError(false);
    this.setResults(results);
  }

  /** Whether an error was set. */
  isError(): boolean {
    this.looks += 1;
    return this.#json.error === true;
  }
  /** Whether the event said that it succeeded; false also if it said nothing. */
  isSuccess(): boolean {
    this.looks += 1;
    return this.#json.error === false;
  }

  /** The message of the error or the success. */
  getMessage(): string | undefined {
    this.looks += 1;
    return this.#json.message as string | undefined;
  }
  /** Whether there is a message. */
  hasMessage(): boolean {
    this.looks += 1;
    return this.#json.message !== undefined;
  }

  /** `error` after an error, `success` after a success, otherwise `info`: what `setFlash` takes. */
  getMessageType(): 'error' | 'success' | 'info' {
    if (this.isError()) return 'error';
    return this.isSuccess() ? 'success' : 'info';
  }

  /** Messages by field, `getValidation('comment_detail')`; all of them without a path. Undefined if the field is valid. */
  getValidation(...path: Key[]): unknown {
    this.looks += 1;
    const validation = (this.#json.validation as Data | undefined) ?? {};
    return path.length === 0 ? validation : readPath(validation, path);
  }

  /** Whether the field at the path is not valid; without a path, whether any is not. */
  hasValidation(...path: Key[]): boolean {
    const found = this.getValidation(...path);
    return path.length === 0 ? Object.keys(found as Data).length > 0 : found !== undefined;
  }

  /** Adds a message for a field: `addValidation('ticket_email', 'E-mail is taken')`. It sets no error: use `refuse`, or `setError`, too. */
  addValidation(...pathAndMessage: unknown[]): this {
    const message = pathAndMessage.at(-1);
    return this.set('json', 'validation', ...pathAndMessage.slice(0, -1), toLocalMessage(message));
  }

  /** Replaces all validation messages. */
  setValidation(messages: Readonly<Data>): this {
    this.#json.validation = toLocalMessage(safeCopy(messages));
    return this;
  }

  /** Removes the message of a field; without a path, all of them. */
  removeValidation(...path: Key[]): this {
    return this.remove('json', 'validation', ...path);
  }

  /** Whether results, an error, a message or validation was set. */
  hasJson(): boolean {
    return Object.keys(this.#json).length > 0;
  }

  /** Redirects the browser. The default status 303 makes a GET follow a POST. */
  setRedirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 303): this {
    return this.addHeader('location', location).setStatus(status);
  }

  /** Whether a redirect was set. */
  isRedirect(): boolean {
    const status = this.getStatus();
    return status >= 300 && status < 400 && this.getHeaders('location') !== undefined;
  }

  /** Sends a stream instead of a text: `{ stream, bytes }`, with the length if it is known. It is destroyed when the client disconnects. */
  setStream(sendable: Sendable): this {
    this.data.stream = hearErrors(sendable);
    return this;
  }

  /** The stream that was set. */
  getStream(): Sendable | undefined {
    return this.data.stream as Sendable | undefined;
  }

  /** Whether a body, a stream or a redirect was set, so that the request is answered. Otherwise Treadle looks for another route, then 404. */
  isAnswered(): boolean {
    return this.hasContent() || this.data.stream !== undefined || this.isRedirect() || this.data.answered === true;
  }

  /** Says that the request is answered, also without results, content or an error: an empty answer instead of 404. */
  setAnswered(): this {
    this.data.answered = true;
    return this;
  }

  /** What `JSON.stringify` prints: `headers`, `code`, `json`, `page` and `body`. */
  override toJSON(): Data {
    const { headers, code, json, page, body } = this.data;
    return { headers, code, json, page, body };
  }
}
