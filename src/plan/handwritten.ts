import type { Access, HookFormat, RestMethod } from '../model/shape.ts';

/** A hand-written REST call, with the same guards, errors and docs as a defined one. */
export interface HandwrittenCall {
  /** Who may call it: `public` everybody, `app` an app, `user` an app for a user. */
  readonly access: Access;
  /** `get`, `post`, `put`, `patch`, `delete`, or `all`. */
  readonly method: RestMethod;
  /** Without the `/rest` prefix. */
  readonly path: string;
  /** Name in scopes and docs. Default: path and method, such as `user-greeting-name-post`. */
  readonly name?: string;
  /** Title in the docs. Default: method and path. */
  readonly title?: string;
  /** Text in the docs. */
  readonly description?: string;
  /**
   * Slug of a scope that opens the call, in addition to scopes that list its name in their file. A user call
   * needs at least one.
   */
  readonly scope?: string;
  /**
   * Shape of the body: zod, another library of Standard Schema, or a JSON Schema of an object. An unknown key is 400, a wrong value 422.
   * In the docs and the typed client, if it is of zod or JSON Schema. Default: any body.
   */
  readonly body?: object;
  /** Shape of the results, for the types, the docs and the typed client. `treadle dev` and tests warn of results that break it. */
  readonly answer?: object;
  /** Status of a successful answer: 200, 201 or 202. Treadle sets it; the docs and the typed client know it. Default 200. */
  readonly status?: 200 | 201 | 202;
}

/** A hand-written web hook. It fires when the event succeeds. */
export interface HandwrittenHook {
  /** Such as `article.published`. */
  readonly type: string;
  /**
   * The name that apps subscribe to and that the signing secret is derived from. Default: the type, with `-`
   * for `.`.
   */
  readonly name?: string;
  /** The event that fires it. */
  readonly event: string;
  /** Title in the docs. Default: the type. */
  readonly title?: string;
  /** Text in the docs. */
  readonly description?: string;
  /** Stage values that must match. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Conditions on the event's data, in the form of a search: `{ article_words: { gte: 100 } }`. */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** Columns to send. Default all. */
  readonly fields?: readonly string[];
  /** `app` (default): every app that lists it gets all events. `user`: only apps of the user that the row belongs to. */
  readonly audience?: 'app' | 'user';
  /** True if apps registered in the browser receive it only once they are approved. Default false. */
  readonly approval?: boolean;
  /** Default `post`. */
  readonly method?: 'post' | 'put';
  /** Format of the sent event. Default `standard`. */
  readonly format?: HookFormat;
  /** The project's own receiver, besides apps. */
  readonly url?: string;
  /** `queued` (default): sent after the action, with retries. `inline`: sent while the action waits. */
  readonly delivery?: 'queued' | 'inline';
  /**
   * Version of the signing secret. A higher one makes a new secret; the old one also signs for a day. Default
   * 1.
   */
  readonly secretVersion?: number;
}
