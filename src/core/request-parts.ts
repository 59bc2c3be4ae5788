import { Registry, readPath, safeCopy, writePath } from './registry.ts';
import type { Data, RequestSource } from './request-source.ts';

export type Key = string | number;

export const LAZY = ['cookie', 'files', 'get', 'post', 'server', 'session', 'body'] as const;

/** The named parts of a request with their accessors. Each is created from the source on first access. */
export class RequestParts extends Registry {
  protected source: RequestSource;
  /** Incremented at each change of the session, so that the runtime saves only changes. */
  #sessionChanges = 0;

  constructor(source: RequestSource) {
    super();
    this.source = source;
  }

  protected part(name: string): Data {
    let part = this.data[name];
    if (part === undefined) {
      const make = (this.source as Record<string, unknown>)[name];
      part = typeof make === 'function' ? (make() as unknown) : {};
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

  protected touchPart(name: string): void {
    if (this.data[name] === undefined && (LAZY as readonly string[]).includes(name)) this.part(name);
  }

  protected readPart(part: string, path: Key[]): unknown {
    const data = this.part(part);
    return path.length === 0 ? data : readPath(data, path);
  }

  protected writePart(part: string, pathAndValue: unknown[]): this {
    if (part === 'session') this.#sessionChanges += 1;
    const [only] = pathAndValue;
    if (pathAndValue.length === 1) {
      this.data[part] = only !== null && typeof only === 'object' ? safeCopy(only as Data) : {};
      return this;
    }
    writePath(this.part(part), pathAndValue.slice(0, -1) as Key[], pathAndValue[pathAndValue.length - 1]);
    return this;
  }

  protected hasPart(part: string, path: Key[]): boolean {
    const value = this.readPart(part, path);
    if (path.length === 0) return Object.keys(value as Data).length > 0;
    return value !== undefined && value !== null;
  }

  protected dropPart(part: string, path: Key[]): this {
    if (path.length === 0) return this.writePart(part, [{}]);
    return this.remove(part, ...path);
  }

  getPost(...path: Key[]): unknown {
    return this.readPart('post', path);
  }
  setPost(...pathAndValue: unknown[]): this {
    return this.writePart('post', pathAndValue);
  }
  hasPost(...path: Key[]): boolean {
    return this.hasPart('post', path);
  }
  removePost(...path: Key[]): this {
    return this.dropPart('post', path);
  }

  getGet(...path: Key[]): unknown {
    return this.readPart('get', path);
  }
  setGet(...pathAndValue: unknown[]): this {
    return this.writePart('get', pathAndValue);
  }
  hasGet(...path: Key[]): boolean {
    return this.hasPart('get', path);
  }
  removeGet(...path: Key[]): this {
    return this.dropPart('get', path);
  }

  getCookies(...path: Key[]): unknown {
    return this.readPart('cookie', path);
  }
  setCookies(...pathAndValue: unknown[]): this {
    return this.writePart('cookie', pathAndValue);
  }
  hasCookies(...path: Key[]): boolean {
    return this.hasPart('cookie', path);
  }
  removeCookies(...path: Key[]): this {
    return this.dropPart('cookie', path);
  }

  getFiles(...path: Key[]): unknown {
    return this.readPart('files', path);
  }
  setFiles(...pathAndValue: unknown[]): this {
    return this.writePart('files', pathAndValue);
  }
  hasFiles(...path: Key[]): boolean {
    return this.hasPart('files', path);
  }
  removeFiles(...path: Key[]): this {
    return this.dropPart('files', path);
  }

  getSession(...path: Key[]): unknown {
    return this.readPart('session', path);
  }
  setSession(...pathAndValue: unknown[]): this {
    return this.writePart('session', pathAndValue);
  }
  hasSession(...path: Key[]): boolean {
    return this.hasPart('session', path);
  }
  removeSession(...path: Key[]): this {
    return this.dropPart('session', path);
  }

  /** Number of session changes since the request was created; 0 means nothing to save. */
  get sessionChanges(): number {
    return this.#sessionChanges;
  }

  getServer(key?: string): unknown {
    return this.readPart('server', key === undefined ? [] : [key]);
  }
  setServer(...keyAndValue: unknown[]): this {
    return this.writePart('server', keyAndValue);
  }
  hasServer(key?: string): boolean {
    return this.hasPart('server', key === undefined ? [] : [key]);
  }

  /** A header by its lower-case name; undefined if missing or empty. Does not create the server data. */
  getHeader(name: string): string | undefined {
    const { header } = this.source;
    const value = header && this.data.server === undefined ? header(name) : this.#serverHeader(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** Whether the client has disconnected: expensive work need not start. */
  isGone(): boolean {
    return this.source.isGone?.() === true;
  }

  #serverHeader(name: string): unknown {
    const cgi = name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replace(/-/g, '_')}`;
    return this.getServer(cgi) ?? this.getServer(name);
  }
}
