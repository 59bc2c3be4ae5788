import { readScope } from '../scope-store.ts';
import { currentLocaleTag } from '../text/translate.ts';
import type { CallFacts } from './call-facts.ts';
import { ClientInput } from './client-input.ts';
import { isSafeKey, readPath } from './registry.ts';
import { type Key, LAZY, RequestParts } from './request-parts.ts';
import type { Data, RequestSource, Route } from './request-source.ts';
import type { FileReceiver } from './sent-file.ts';

export type { Data, RequestSource, Route } from './request-source.ts';

const PRINTED = ['args', 'body', 'cookie', 'files', 'post', 'server', 'path', 'method', 'query', 'session', 'route'];

/**
 * What a listener gets as its first argument: a registry with the parts `args`, `body`, `cookie`, `files`, `get`, `post`, `server`,
 * `path`, `method`, `query`, `session`, `stage` and `route`. The stage is the input of events: Treadle fills it from the query, then the
 * body, then the parameters of the path. Methods that set something return the request. `new Request()` makes an empty one.
 */
export class Request extends RequestParts {
  /**
   * Facts about the REST call that the request used; undefined for a page, a command and a request made by
   * code.
   * @internal
   */
  callFacts: CallFacts | undefined;
  #clientInput: ClientInput | undefined;

  /** Reads the file of the body as it arrives; undefined where the body was read before. @internal */
  get receiveFile(): FileReceiver | undefined {
    return this.source.receiveFile;
  }

  constructor(source: RequestSource = {}) {
    super(source);
    this.data.stage = {};
    this.load();
  }

  /** Takes method, path, query and all other parts from a source, and fills the stage from the query and then the body. */
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

  /** The input of events at the path, `getStage('filter', 'article_id')`; the whole stage without a path. Values from a query are texts. */
  getStage(...path: Key[]): unknown {
    return this.readPart('stage', path);
  }
  /** Whether the stage has a value at the path; null counts as none. */
  hasStage(...path: Key[]): boolean {
    return this.hasPart('stage', path);
  }
  /** Removes the value at the path; without a path, the whole stage. */
  removeStage(...path: Key[]): this {
    return this.dropPart('stage', path);
  }

  /** Sets the last argument at the path of the arguments before it, or each key of an object: `setStage({ schema: 'article' })`. */
  setStage(...pathAndValue: unknown[]): this {
    const [only] = pathAndValue;
    if (pathAndValue.length > 1) {
      this.#noteWrite(pathAndValue.slice(0, -1) as Key[]);
      return this.writePart('stage', pathAndValue);
    }
    if (only !== null && typeof only === 'object') this.#merge(only as Data, true);
    return this;
  }

  /** Adds the keys of an object that the stage does not have yet. */
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
   * As `setStage` with an object, for input of a client: `isBrought` is then true for its values, and rules for input apply to them.
   */
  bringStage(data: Data): this {
    const stage = this.part('stage');
    for (const key of Object.keys(data)) if (isSafeKey(key)) stage[key] = data[key];
    this.#clientInput ??= new ClientInput();
    this.#clientInput.add(data);
    return this;
  }

  /**
   * Whether the stage's value at a path is input of the client (query, body or path) that code has not overwritten. An object or
   * list from the query or body remains input, even if code puts it into the stage of this or another request.
   */
  isBrought(...path: [Key, ...Key[]]): boolean {
    const [first, ...within] = path;
    const value = this.getStage(first);
    if (typeof value !== 'object' || value === null) return this.#clientInput?.has(first, value) ?? false;
    if (this.#clientInput?.isWrittenWithin(path)) return false;
    const current = readScope<{ readonly request?: Request }>()?.request;
    for (const origin of [this.#clientInput, current === undefined ? undefined : current.#clientInput]) {
      const key = origin?.findKey(value);
      if (key !== undefined) return !origin?.isWrittenWithin([key, ...within]);
    }
    return false;
  }

  /** Without input so far, only a write inside a value matters: that value may be input. */
  #noteWrite(path: readonly Key[]): void {
    if (path.length > 1) this.#clientInput ??= new ClientInput();
    this.#clientInput?.write(path);
  }

  /** @internal */
  override record(): () => void {
    const restore = super.record();
    const input = this.#clientInput?.copy();
    return () => {
      restore();
      this.#clientInput = input?.copy();
    };
  }

  /** As `set` of every registry. */
  override set(...pathAndValue: unknown[]): this {
    if (pathAndValue[0] === 'stage' && pathAndValue.length > 2) this.#noteWrite(pathAndValue.slice(1, -1) as Key[]);
    return super.set(...pathAndValue);
  }

  /** The body as it was sent: text, or bytes if its type is not text. Empty text without a body. */
  getContent(): unknown {
    this.touchPart('body');
    const body = this.data.body;
    return typeof body === 'object' && body !== null && Object.keys(body).length === 0 ? '' : body;
  }

  /** Replaces the body. The stage stays as it is. */
  setContent(content: unknown): this {
    this.data.body = content;
    return this;
  }

  /** Whether the request has a body that is not empty. */
  hasContent(): boolean {
    const content = this.getContent();
    return content !== undefined && content !== null && content !== '';
  }

  /** The words of the command line, if a command emitted the event. */
  getArgs(): readonly string[] {
    return this.data.args as string[];
  }

  /** Sets the words of the command line. */
  setArgs(args: readonly string[]): this {
    this.data.args = [...args];
    return this;
  }

  /**
   * Tag of the language that the page or the answer is in, such as `de`: the one of the account, the cookie or the browser. `en` in
   * jobs and commands.
   */
  getLanguage(): string {
    return currentLocaleTag();
  }

  /** The HTTP method in capitals, such as `GET`. */
  getMethod(): string {
    return this.data.method as string;
  }

  /** Sets the HTTP method. */
  setMethod(method: string): this {
    this.data.method = method.toUpperCase();
    return this;
  }

  /** Whether the request has this method; upper and lower case are the same. */
  isMethod(name: string): boolean {
    return this.getMethod() === name.toUpperCase();
  }

  /**
   * The path without query: as `{ string, array }`, as one of the two by `'string'` or `'array'`, or one segment by its index. The
   * array of `/a/b` is `['', 'a', 'b']`, so `getPath(1)` is `a`.
   */
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

  /** Sets the path, by text or segments. */
  setPath(path: string | readonly string[]): this {
    this.data.path =
      typeof path === 'string'
        ? { string: path, array: path.split('/') }
        : { string: path.join('/'), array: [...path] };
    return this;
  }

  /** The query string as it was sent, without `?`. */
  getQuery(): string {
    return this.data.query as string;
  }

  /** Sets the query string; `getGet` and the stage stay as they are. */
  setQuery(query: string): this {
    this.data.query = query;
    return this;
  }

  /** The route that matched: `event`, `parameters` by name, `variables` by position, `method` and `path`. Undefined if none did. */
  getRoute(): Route | undefined;
  getRoute(name: 'event' | 'method' | 'path'): string | undefined;
  getRoute(name: string): unknown;
  getRoute(name?: string): unknown {
    const route = this.data.route as Data | undefined;
    return name === undefined ? route : readPath(route, [name]);
  }

  /** Sets the data of the route; keys that are left out are empty. */
  setRoute(route: Partial<Route>): this {
    this.data.route = { event: '', parameters: {}, variables: [], method: this.getMethod(), path: '', ...route };
    return this;
  }

  /** What the named segments of the route matched: of `/article/:article_id` all, or one by its name. Also in the stage. */
  getParameters(): Readonly<Record<string, string>>;
  getParameters(name: string): string | undefined;
  getParameters(name?: string): unknown {
    const parameters = (this.getRoute()?.parameters ?? {}) as Data;
    return name === undefined ? parameters : readPath(parameters, [name]);
  }

  /** What `*` and `**` of the route matched, from the left: all, or one by its index. */
  getVariables(): readonly string[];
  getVariables(index: number): string | undefined;
  getVariables(index?: number): unknown {
    const variables = this.getRoute()?.variables ?? [];
    return index === undefined ? variables : variables[index];
  }

  /**
   * What `JSON.stringify` prints: `args`, `body`, `cookie`, `files`, `post`, `server`, `path`, `method`, `query`, `session` and
   * `route`. It holds cookies and form values: do not log it.
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
