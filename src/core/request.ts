import { isSafeKey, Registry, readPath, safeCopy, writePath } from './registry.ts';

import type { Data, RequestSource, Route } from './request-source.ts';

export type { Data, RequestSource, Route } from './request-source.ts';

type Key = string | number;

const LAZY = ['cookie', 'files', 'get', 'post', 'server', 'session', 'body'] as const;
const PRINTED = ['args', 'body', 'cookie', 'files', 'post', 'server', 'path', 'method', 'query', 'session', 'route'];

/**
 * The request that every listener is given: a registry with named parts.
 *
 * Parts: `args`, `body`, `cookie`, `files`, `get`, `post`, `server`, `path`, `method`, `query`, `session`, `stage`,
 * `route`. `has…` is false for null. Setters return the request. Needs no argument; {@link Request.load} fills it
 * from the runtime's source.
 */
export class Request extends Registry {
  #source: RequestSource;
  /** Raised at each change of the session, so that the runtime writes only what changed. */
  #sessionChanges = 0;

  constructor(source: RequestSource = {}) {
    super();
    this.#source = source;
    this.data.stage = {};
    this.load();
  }

  /** Loads default data given by the runtime, and fills the stage from query, then post, then route parameters. */
  load(source: RequestSource = this.#source): this {
    this.#source = source;
    // Deleting makes a slow object; a new request has nothing to delete.
    if (this.data.method !== undefined) for (const part of LAZY) delete this.data[part];
    this.data.args = [...(source.args ?? [])];
    this.data.method = (source.method ?? 'GET').toUpperCase();
    this.data.query = source.query ?? '';
    if (source.path !== undefined) this.setPath(source.path);
    if (source.get) this.setStage(this.getGet() as Data);
    if (source.post) this.setStage(this.getPost() as Data);
    return this;
  }

  #part(name: string): Data {
    let part = this.data[name];
    if (part === undefined) {
      const make = (this.#source as Record<string, unknown>)[name];
      part = typeof make === 'function' ? (make() as unknown) : {};
      this.data[name] = part;
    }
    return part as Data;
  }

  override get(...path: Key[]): unknown {
    const [first] = path;
    if (first === undefined) for (const name of LAZY) this.#touch(name);
    else this.#touch(String(first));
    return super.get(...path);
  }

  override set(...pathAndValue: unknown[]): this {
    const part = String(pathAndValue[0]);
    this.#touch(part);
    if (part === 'session') this.#sessionChanges += 1;
    return super.set(...pathAndValue);
  }

  override remove(...path: Key[]): this {
    this.#touch(String(path[0]));
    if (path[0] === 'session') this.#sessionChanges += 1;
    return super.remove(...path);
  }

  #touch(name: string): void {
    if (this.data[name] === undefined && (LAZY as readonly string[]).includes(name)) this.#part(name);
  }

  #read(part: string, path: Key[]): unknown {
    const data = this.#part(part);
    return path.length === 0 ? data : readPath(data, path);
  }

  #write(part: string, pathAndValue: unknown[]): this {
    if (part === 'session') this.#sessionChanges += 1;
    const [only] = pathAndValue;
    if (pathAndValue.length === 1) {
      this.data[part] = only !== null && typeof only === 'object' ? safeCopy(only as Data) : {};
      return this;
    }
    writePath(this.#part(part), pathAndValue.slice(0, -1) as Key[], pathAndValue[pathAndValue.length - 1]);
    return this;
  }

  #has(part: string, path: Key[]): boolean {
    const value = this.#read(part, path);
    if (path.length === 0) return Object.keys(value as Data).length > 0;
    return value !== undefined && value !== null;
  }

  #drop(part: string, path: Key[]): this {
    if (path.length === 0) return this.#write(part, [{}]);
    return this.remove(part, ...path);
  }

  getPost(...path: Key[]): unknown {
    return this.#read('post', path);
  }
  setPost(...pathAndValue: unknown[]): this {
    return this.#write('post', pathAndValue);
  }
  hasPost(...path: Key[]): boolean {
    return this.#has('post', path);
  }
  removePost(...path: Key[]): this {
    return this.#drop('post', path);
  }

  getGet(...path: Key[]): unknown {
    return this.#read('get', path);
  }
  setGet(...pathAndValue: unknown[]): this {
    return this.#write('get', pathAndValue);
  }
  hasGet(...path: Key[]): boolean {
    return this.#has('get', path);
  }
  removeGet(...path: Key[]): this {
    return this.#drop('get', path);
  }

  getCookies(...path: Key[]): unknown {
    return this.#read('cookie', path);
  }
  setCookies(...pathAndValue: unknown[]): this {
    return this.#write('cookie', pathAndValue);
  }
  hasCookies(...path: Key[]): boolean {
    return this.#has('cookie', path);
  }
  removeCookies(...path: Key[]): this {
    return this.#drop('cookie', path);
  }

  getFiles(...path: Key[]): unknown {
    return this.#read('files', path);
  }
  setFiles(...pathAndValue: unknown[]): this {
    return this.#write('files', pathAndValue);
  }
  hasFiles(...path: Key[]): boolean {
    return this.#has('files', path);
  }
  removeFiles(...path: Key[]): this {
    return this.#drop('files', path);
  }

  getSession(...path: Key[]): unknown {
    return this.#read('session', path);
  }
  setSession(...pathAndValue: unknown[]): this {
    return this.#write('session', pathAndValue);
  }
  hasSession(...path: Key[]): boolean {
    return this.#has('session', path);
  }
  removeSession(...path: Key[]): this {
    return this.#drop('session', path);
  }

  /** How often the session was changed since the request was made; 0 means that nothing need be stored. */
  get sessionChanges(): number {
    return this.#sessionChanges;
  }

  getServer(key?: string): unknown {
    return this.#read('server', key === undefined ? [] : [key]);
  }
  setServer(...keyAndValue: unknown[]): this {
    return this.#write('server', keyAndValue);
  }
  hasServer(key?: string): boolean {
    return this.#has('server', key === undefined ? [] : [key]);
  }

  /** A header by its name in lower case; undefined where it is not there, or empty. The server data need not be made for it. */
  getHeader(name: string): string | undefined {
    const { header } = this.#source;
    const value = header && this.data.server === undefined ? header(name) : this.#serverHeader(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  #serverHeader(name: string): unknown {
    const cgi = name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replace(/-/g, '_')}`;
    return this.getServer(cgi) ?? this.getServer(name);
  }

  getStage(...path: Key[]): unknown {
    return this.#read('stage', path);
  }
  hasStage(...path: Key[]): boolean {
    return this.#has('stage', path);
  }
  removeStage(...path: Key[]): this {
    return this.#drop('stage', path);
  }

  /** Sets a value at a path, or, given an object, each of its top-level keys. */
  setStage(...pathAndValue: unknown[]): this {
    const [only] = pathAndValue;
    if (pathAndValue.length > 1) return this.#write('stage', pathAndValue);
    if (only !== null && typeof only === 'object') this.#merge(only as Data, true);
    return this;
  }

  /** Adds to the stage without overwriting what is there. */
  setSoftStage(data: Data): this {
    this.#merge(data, false);
    return this;
  }

  #merge(data: Data, overwrite: boolean): void {
    const stage = this.#part('stage');
    for (const key of Object.keys(data)) {
      if (isSafeKey(key) && (overwrite || !Object.hasOwn(stage, key))) stage[key] = data[key];
    }
  }

  /** The raw input stream as text (or bytes for a type that is not text). */
  getContent(): unknown {
    this.#touch('body');
    const body = this.data.body;
    return typeof body === 'object' && body !== null && Object.keys(body).length === 0 ? '' : body;
  }

  setContent(content: unknown): this {
    this.data.body = content;
    return this;
  }

  hasContent(): boolean {
    const content = this.getContent();
    return content !== undefined && content !== null && content !== '';
  }

  getArgs(): readonly string[] {
    return this.data.args as string[];
  }

  setArgs(args: readonly string[]): this {
    this.data.args = [...args];
    return this;
  }

  /** The method in upper case. */
  getMethod(): string {
    return this.data.method as string;
  }

  setMethod(method: string): this {
    this.data.method = method.toUpperCase();
    return this;
  }

  isMethod(name: string): boolean {
    return this.getMethod() === name.toUpperCase();
  }

  /** The path: `{ string, array }`, or the one that is named. The array starts with an empty string. */
  getPath(): { string: string; array: string[] };
  getPath(form: 'string'): string;
  getPath(form: 'array'): string[];
  getPath(index: number): string | undefined;
  getPath(form?: 'string' | 'array' | number): unknown {
    const path = this.data.path as { string: string; array?: string[] } | undefined;
    const text = path?.string ?? '';
    if (form === 'string') return text;
    const array = path?.array ?? text.split('/');
    if (form === 'array') return array;
    if (typeof form === 'number') return array[form];
    return { string: text, array };
  }

  setPath(path: string | readonly string[]): this {
    this.data.path =
      typeof path === 'string'
        ? { string: path, array: path.split('/') }
        : { string: path.join('/'), array: [...path] };
    return this;
  }

  getQuery(): string {
    return this.data.query as string;
  }

  setQuery(query: string): this {
    this.data.query = query;
    return this;
  }

  /** Route data: `event`, `parameters` (name to value), `variables` (positional), `method`, `path`. */
  getRoute(): Route | undefined;
  getRoute(name: 'event' | 'method' | 'path'): string | undefined;
  getRoute(name: string): unknown;
  getRoute(name?: string): unknown {
    const route = this.data.route as Data | undefined;
    return name === undefined ? route : readPath(route, [name]);
  }

  setRoute(route: Partial<Route>): this {
    this.data.route = { event: '', parameters: {}, variables: [], method: this.getMethod(), path: '', ...route };
    return this;
  }

  getParameters(): Readonly<Record<string, string>>;
  getParameters(name: string): string | undefined;
  getParameters(name?: string): unknown {
    const parameters = (this.getRoute()?.parameters ?? {}) as Data;
    return name === undefined ? parameters : readPath(parameters, [name]);
  }

  getVariables(): readonly string[];
  getVariables(index: number): string | undefined;
  getVariables(index?: number): unknown {
    const variables = this.getRoute()?.variables ?? [];
    return index === undefined ? variables : variables[index];
  }

  /** The printed form: `args`, `body`, `cookie`, `files`, `post`, `server`, `path`, `method`, `query`, `session`, `route`. */
  override toJSON(): Data {
    const printed: Data = {};
    for (const key of PRINTED) printed[key] = this.get(key);
    printed.path = this.getPath();
    printed.body = this.getContent();
    const route = this.getRoute();
    printed.route = {
      method: route?.method ?? this.getMethod(),
      path: route?.path ?? '',
      variables: route?.variables ?? [],
    };
    return printed;
  }
}
