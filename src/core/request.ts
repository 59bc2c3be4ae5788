import { Brought } from './brought.ts';
import type { CallFacts } from './call-facts.ts';
import { isSafeKey, readPath } from './registry.ts';
import { type Key, LAZY, RequestParts } from './request-parts.ts';
import type { Data, RequestSource, Route } from './request-source.ts';
import { currentScope } from './scope.ts';

export type { Data, RequestSource, Route } from './request-source.ts';

const PRINTED = ['args', 'body', 'cookie', 'files', 'post', 'server', 'path', 'method', 'query', 'session', 'route'];

/**
 * The request that listeners get: a registry with named parts.
 * Parts: `args`, `body`, `cookie`, `files`, `get`, `post`, `server`, `path`, `method`, `query`, `session`,
 * `stage`, `route`. `has…` is false for null. Setters return the request. Needs no argument; {@link
 * Request.load} fills it from the runtime's source.
 */
export class Request extends RequestParts {
  /**
   * Facts about the REST call that the request used; undefined for a page, a command and a request made by
   * code.
   */
  callFacts: CallFacts | undefined;
  #brought: Brought | undefined;

  constructor(source: RequestSource = {}) {
    super(source);
    this.data.stage = {};
    this.load();
  }

  /** Loads the runtime's default data, and fills the stage from query, then post, then route parameters. */
  load(source: RequestSource = this.source): this {
    this.source = source;
    // Deleting keys makes an object slow; a new request has none to delete.
    if (this.data.method !== undefined) for (const part of LAZY) delete this.data[part];
    this.data.args = [...(source.args ?? [])];
    this.data.method = (source.method ?? 'GET').toUpperCase();
    this.data.query = source.query ?? '';
    if (source.path !== undefined) this.setPath(source.path);
    if (source.get) this.bringStage(this.getGet() as Data);
    if (source.post) this.bringStage(this.getPost() as Data);
    return this;
  }

  getStage(...path: Key[]): unknown {
    return this.readPart('stage', path);
  }
  hasStage(...path: Key[]): boolean {
    return this.hasPart('stage', path);
  }
  removeStage(...path: Key[]): this {
    return this.dropPart('stage', path);
  }

  /** Sets a value at a path, or each top-level key of an object. */
  setStage(...pathAndValue: unknown[]): this {
    const [only] = pathAndValue;
    if (pathAndValue.length > 1) {
      this.#noteWrite(pathAndValue.slice(0, -1) as Key[]);
      return this.writePart('stage', pathAndValue);
    }
    if (only !== null && typeof only === 'object') this.#merge(only as Data, true);
    return this;
  }

  /** Adds to the stage without overwriting existing values. */
  setSoftStage(data: Data): this {
    this.#merge(data, false);
    return this;
  }

  #merge(data: Data, overwrite: boolean): void {
    const stage = this.part('stage');
    for (const key of Object.keys(data)) {
      if (!isSafeKey(key) || (!overwrite && Object.hasOwn(stage, key))) continue;
      stage[key] = data[key];
      this.#noteWrite([key]);
    }
  }

  /**
   * Like {@link Request.setStage} with an object, for input: {@link Request.isBrought} is then true for it.
   */
  bringStage(data: Data): this {
    const stage = this.part('stage');
    for (const key of Object.keys(data)) if (isSafeKey(key)) stage[key] = data[key];
    this.#brought ??= new Brought();
    this.#brought.add(data);
    return this;
  }

  /**
   * Whether the stage's value at a path is input (query, body or path) that code has not overwritten. An
   * object or list from the query or body remains input, even if code puts it into the stage of this or
   * another request.
   */
  isBrought(...path: [Key, ...Key[]]): boolean {
    const [first, ...within] = path;
    const value = this.getStage(first);
    if (typeof value !== 'object' || value === null) return this.#brought?.has(first, value) ?? false;
    if (this.#brought?.isWrittenWithin(path)) return false;
    const asked = currentScope.getStore()?.request;
    for (const origin of [this.#brought, asked === undefined ? undefined : asked.#brought]) {
      const key = origin?.findKey(value);
      if (key !== undefined) return !origin?.isWrittenWithin([key, ...within]);
    }
    return false;
  }

  /** Without input so far, only a write inside a value matters: that value may be input. */
  #noteWrite(path: readonly Key[]): void {
    if (path.length > 1) this.#brought ??= new Brought();
    this.#brought?.write(path);
  }

  override record(): () => void {
    const restore = super.record();
    const brought = this.#brought?.copy();
    return () => {
      restore();
      this.#brought = brought?.copy();
    };
  }

  override set(...pathAndValue: unknown[]): this {
    if (pathAndValue[0] === 'stage' && pathAndValue.length > 2) this.#noteWrite(pathAndValue.slice(1, -1) as Key[]);
    return super.set(...pathAndValue);
  }

  /** The raw body as text (or bytes for a non-text type). */
  getContent(): unknown {
    this.touchPart('body');
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

  /** The path as `{ string, array }`, or one of the two. The array starts with an empty string. */
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

  /**
   * The serialized form: `args`, `body`, `cookie`, `files`, `post`, `server`, `path`, `method`, `query`,
   * `session`, `route`.
   */
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
