import { isObject, isOneOf } from '../record.ts';
import { Registry, readPath, safeCopy, writePath } from './registry.ts';
import type { Data, RequestSource } from './request-source.ts';

export type Key = string | number;

export const LAZY = ['cookie', 'files', 'get', 'post', 'server', 'session', 'body'] as const;

/** The named parts of a request with their accessors. Each is created from the source on first access. */
export class RequestParts extends Registry {
  /** @internal */
  protected source: RequestSource;
  /** Incremented at each change of the session, so that the runtime saves only changes. */
  #sessionChanges = 0;

  constructor(source: RequestSource) {
    super();
    this.source = source;
  }

  /** @internal */
  protected part(name: string): Data {
    let part = this.data[name];
    if (part === undefined) {
      const make = (this.source as Record<string, unknown>)[name];
      part = typeof make === 'function' ? make() : {};
      this.data[name] = part;
    }
    return part as Data;
  }

  override get(...path: Key[]): unknown {
    const [first] = path;
    if (first === undefined) for (const name of LAZY) this.touchPart(name);
    else this.touchPart(String(first));
    return super.get(...path);
  }

  override set(...pathAndValue: unknown[]): this {
    const part = String(pathAndValue[0]);
    this.touchPart(part);
    if (part === 'session') this.#sessionChanges += 1;
    return super.set(...pathAndValue);
  }

  override remove(...path: Key[]): this {
    this.touchPart(String(path[0]));
    if (path[0] === 'session') this.#sessionChanges += 1;
    return super.remove(...path);
  }

  /** @internal */
  protected touchPart(name: string): void {
    if (this.data[name] === undefined && isOneOf(LAZY, name)) this.part(name);
  }

  /** @internal */
  protected readPart(part: string, path: Key[]): unknown {
    const data = this.part(part);
    return path.length === 0 ? data : readPath(data, path);
  }

  /** @internal */
  protected writePart(part: string, pathAndValue: unknown[]): this {
    if (part === 'session') this.#sessionChanges += 1;
    const [only] = pathAndValue;
    if (pathAndValue.length === 1) {
      this.data[part] = isObject(only) ? safeCopy(only) : {};
      return this;
    }
    writePath(this.part(part), pathAndValue.slice(0, -1), pathAndValue[pathAndValue.length - 1]);
    return this;
  }

  /** @internal */
  protected hasPart(part: string, path: Key[]): boolean {
    if (path.length === 0) return Object.keys(this.part(part)).length > 0;
    const value = this.readPart(part, path);
    return value !== undefined && value !== null;
  }

  /** @internal */
  protected dropPart(part: string, path: Key[]): this {
    if (path.length === 0) return this.writePart(part, [{}]);
    return this.remove(part, ...path);
  }

  /** Of the body: form fields, or the keys of a JSON object. Without a path: all of them. */
  getPost(...path: Key[]): unknown {
    return this.readPart('post', path);
  }
  /** Sets the last argument at the path of the arguments before it in the body's values; an object alone replaces all. */
  setPost(...pathAndValue: unknown[]): this {
    return this.writePart('post', pathAndValue);
  }
  /** Whether there is a value at the path; null counts as none. Without a path: whether there is any. */
  hasPost(...path: Key[]): boolean {
    return this.hasPart('post', path);
  }
  /** Removes the value at the path; without a path, all. */
  removePost(...path: Key[]): this {
    return this.dropPart('post', path);
  }

  /** Of the query string: `?filter[a]=1` is `getGet('filter', 'a')`. Values are texts. Without a path: all of them. */
  getGet(...path: Key[]): unknown {
    return this.readPart('get', path);
  }
  /** Sets the last argument at the path of the arguments before it in the query's values; an object alone replaces all. */
  setGet(...pathAndValue: unknown[]): this {
    return this.writePart('get', pathAndValue);
  }
  /** Whether there is a value at the path; null counts as none. Without a path: whether there is any. */
  hasGet(...path: Key[]): boolean {
    return this.hasPart('get', path);
  }
  /** Removes the value at the path; without a path, all. */
  removeGet(...path: Key[]): this {
    return this.dropPart('get', path);
  }

  /** Of the cookies that the browser sent. Without a path: all of them. */
  getCookies(...path: Key[]): unknown {
    return this.readPart('cookie', path);
  }
  /** Sets the last argument at the path of the arguments before it in the cookies, of this request only: `response.addHeader('set-cookie', …)` sends one; an object alone replaces all. */
  setCookies(...pathAndValue: unknown[]): this {
    return this.writePart('cookie', pathAndValue);
  }
  /** Whether there is a value at the path; null counts as none. Without a path: whether there is any. */
  hasCookies(...path: Key[]): boolean {
    return this.hasPart('cookie', path);
  }
  /** Removes the value at the path; without a path, all. */
  removeCookies(...path: Key[]): this {
    return this.dropPart('cookie', path);
  }

  /** Of the uploaded files, by the name of the form's control: each has `name`, `type`, `bytes` and `buffer`. Without a path: all of them. */
  getFiles(...path: Key[]): unknown {
    return this.readPart('files', path);
  }
  /** Sets the last argument at the path of the arguments before it in the uploaded files; an object alone replaces all. */
  setFiles(...pathAndValue: unknown[]): this {
    return this.writePart('files', pathAndValue);
  }
  /** Whether there is a value at the path; null counts as none. Without a path: whether there is any. */
  hasFiles(...path: Key[]): boolean {
    return this.hasPart('files', path);
  }
  /** Removes the value at the path; without a path, all. */
  removeFiles(...path: Key[]): this {
    return this.dropPart('files', path);
  }

  /** Of the session. `me` is the logged-in user: `getSession('me', 'profile_id')`; undefined for a visitor. A call has no session: `app.caller()` answers for both. Without a path: all of them. */
  getSession(part: 'me', key: 'auth_id' | 'profile_id'): number | undefined;
  getSession(...path: Key[]): unknown;
  getSession(...path: Key[]): unknown {
    return this.readPart('session', path);
  }
  /** Sets the last argument at the path of the arguments before it in the session; an object alone replaces all. Saved when the request ends. */
  setSession(...pathAndValue: unknown[]): this {
    return this.writePart('session', pathAndValue);
  }
  /** Whether there is a value at the path; null counts as none. Without a path: whether there is any. */
  hasSession(...path: Key[]): boolean {
    return this.hasPart('session', path);
  }
  /** Removes the value at the path; without a path, all. */
  removeSession(...path: Key[]): this {
    return this.dropPart('session', path);
  }

  /** Number of session changes since the request was created; 0 means nothing to save. @internal */
  get sessionChanges(): number {
    return this.#sessionChanges;
  }

  /**
   * Facts about the request: `REMOTE_ADDR`, `REQUEST_ID`, `REQUEST_TIME` (unix seconds), `REQUEST_URI`, `HTTPS`, and each header as
   * `HTTP_USER_AGENT` and `user-agent`. Without a key: all of them.
   */
  getServer(key?: string): unknown {
    return this.readPart('server', key === undefined ? [] : [key]);
  }
  /** Sets one fact, `setServer('REMOTE_ADDR', '127.0.0.1')`, or replaces all by an object. */
  setServer(...keyAndValue: unknown[]): this {
    return this.writePart('server', keyAndValue);
  }
  /** Whether there is a fact of this name. */
  hasServer(key?: string): boolean {
    return this.hasPart('server', key === undefined ? [] : [key]);
  }

  /** A header by its name in small letters; undefined if it is missing or empty. */
  getHeader(name: string): string | undefined {
    const value = this.#findHeader(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** Whether a header was sent, even an empty one. @internal */
  hasHeader(name: string): boolean {
    return this.#findHeader(name) !== undefined;
  }

  /** Whether the client has disconnected, so that expensive work need not start. */
  isGone(): boolean {
    return this.source.isGone?.() === true;
  }

  #findHeader(name: string): unknown {
    const { headers } = this.source;
    if (headers !== undefined && this.data.server === undefined) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    }
    const cgi = name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replace(/-/g, '_')}`;
    return this.getServer(cgi) ?? this.getServer(name);
  }
}
