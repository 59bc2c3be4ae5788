import type { Emitted, Listener } from '../core/bus.ts';
import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import type { FlashKind, Response } from '../core/response.ts';
import type { Model } from '../model/model.ts';
import type { Access, HookFormat, RestMethod, Settings } from '../model/shape.ts';
import type { Emit } from './typed-emit.ts';

/** A hand-written REST call: the same guards, errors and docs as a defined one. */
export interface HandwrittenCall {
  readonly access: Access;
  readonly method: RestMethod;
  /** Without the `/rest` prefix. */
  readonly path: string;
  /** Name by which scopes list it and the docs know it. Default: made of path and method, such as `user-greeting-name-post`. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Slug of a scope that opens it, beside those whose files list its name: a user call needs one. */
  readonly scope?: string;
}

/** A hand-written web hook: fires when the event succeeds. */
export interface HandwrittenHook {
  /** Such as `article.published`. */
  readonly type: string;
  /** What apps subscribe to, and what the secret is made from. Default: the type, with `-` for `.`. */
  readonly name?: string;
  readonly event: string;
  readonly title?: string;
  readonly description?: string;
  /** Stage values that must match. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** What the event's data must be, as a search asks for it: `{ article_words: { gte: 100 } }`. */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** Columns that are sent. Default all. */
  readonly fields?: readonly string[];
  readonly audience?: 'app' | 'user';
  /** Whether an app registered in the browser hears of it only once it was approved. Default false. */
  readonly approval?: boolean;
  /** Default `post`. */
  readonly method?: 'post' | 'put';
  /** How an event is written. Default `standard`. */
  readonly format?: HookFormat;
  readonly url?: string;
  readonly delivery?: 'queued' | 'inline';
  /** Version of the signing secret: raise it for a new one, and both sign for a day. Default 1. */
  readonly secretVersion?: number;
}

/** What a project's own code registers on. Adding listeners after loading throws. */
export interface App {
  get(path: string, ...listeners: (Listener | string)[]): this;
  post(path: string, ...listeners: (Listener | string)[]): this;
  put(path: string, ...listeners: (Listener | string)[]): this;
  patch(path: string, ...listeners: (Listener | string)[]): this;
  delete(path: string, ...listeners: (Listener | string)[]): this;
  all(path: string, ...listeners: (Listener | string)[]): this;
  /** Any method, a priority where one is needed. A text instead of a listener names an event to emit. */
  route(method: string, path: string, listener: Listener | string, priority?: number): this;
  /** Listens to an event, a pattern (`system-model-*`), a regular expression or a list; returns the remover. */
  on(event: string | RegExp | readonly (string | RegExp)[], listener: Listener, priority?: number): () => void;
  readonly emit: Emit;
  /** Answers with another route of this app, with the same request and response. */
  reroute(method: string, path: string, request: Request, response: Response): Promise<Emitted>;
  /** The emits inside share one transaction; nested ones join it; nothing leaves the process before it commits. */
  transaction<T>(fn: () => Promise<T>): Promise<T>;
  /** Runs work as the system: no owner and no rule of the person who asks narrows it. */
  asSystem<T>(fn: () => T): T;
  rest(call: HandwrittenCall, listener: Listener): this;
  webhook(hook: HandwrittenHook): this;
  package(name: 'global'): GlobalPackage;
  package(name: string): Package;
  readonly settings: Settings;
  readonly model: Model;
  readonly log: Log;
}

// biome-ignore lint/suspicious/noExplicitAny: a virtual method has whatever shape its package gives it.
export type VirtualMethod = (...parameters: any[]) => any;

/** A folder of the project's own code, such as `/app/www`, with virtual methods. */
export interface Package {
  /** Adds a virtual method: `www.method('template', fn)`, then `app.package('/app/www').template(…)`. */
  method(name: string, fn: VirtualMethod): this;
  /** Renders `src/template/<name>.html` of this package with Handlebars. */
  view(name: string, data?: object): string;
  /** Absolute folder of the package. */
  folder(): string;
  // biome-ignore lint/suspicious/noExplicitAny: see VirtualMethod.
  [method: string]: any;
}

/** The package named `global`. */
export interface GlobalPackage {
  /** Shows a message on the next page that this visitor gets. */
  flash(message: string, kind?: FlashKind): void;
  /** Sends the browser elsewhere, by 303. */
  redirect(path: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: see VirtualMethod.
  [method: string]: any;
}
