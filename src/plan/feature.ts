import type { Bus, Emitted, Listener } from '../core/bus.ts';
import type { Clock, Random } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { RootSecret } from '../core/secret.ts';
import type { Database, Row, SystemTable } from '../database/database.ts';
import type { CallModel, HookModel, Model } from '../model/model.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Files } from '../project/file-store.ts';

/**
 * A feature: what it adds for a model. All features have this one shape and none imports another; they share facts
 * through the model and behaviour through the bus.
 */
export interface Feature {
  readonly name: string;
  /** Pure: the same facts give the same contribution. */
  contribute(facts: Facts): Contribution;
}

/** What features are compiled from: the model, with the calls and hooks that controllers wrote by hand among its own. */
export interface Facts {
  readonly model: Model;
  readonly calls: readonly CallPlan[];
  readonly hooks: readonly HookModel[];
  readonly isDevelopment: boolean;
}

export interface CallPlan extends CallModel {
  /** The hand-written handler; a defined call emits its definition's event instead. */
  readonly handler: Listener | undefined;
}

export interface Contribution {
  readonly tables?: readonly SystemTable[];
  readonly events?: readonly EventContribution[];
  readonly routes?: readonly RouteContribution[];
  /** Things that run beside requests, such as the delivery of web hooks. */
  readonly workers?: readonly ((context: Context) => Worker)[];
  /** Runs once when the plan is swapped in: seeds such as apps from their files. Writes only what differs. */
  readonly seeds?: readonly ((context: Context) => Promise<void>)[];
  /**
   * Rows that must commit with an event: called by the behaviour of that event inside its own write, after it
   * succeeded. How a web hook's event row commits with the data that it reports.
   */
  readonly commits?: readonly ((context: Context) => CommitListener)[];
  /** Hears how each request to a route was answered, once it was sent: for counters in memory, so it must be quick. */
  readonly answers?: readonly ((context: Context) => AnswerListener)[];
  readonly problems?: readonly Problem[];
}

/** Called with a request and the HTTP status that it was answered with. */
export type AnswerListener = (request: Request, status: number) => void;

/** Called inside the write with the event's name, stage and results. */
export type CommitListener = (event: string, request: Request, response: Response) => Promise<void>;

export interface EventContribution {
  readonly event: string;
  /** One sentence for `treadle events` and the docs. */
  readonly description: string;
  /** Stage keys it reads: name to one sentence. */
  readonly stage: Readonly<Record<string, string>>;
  /** What it leaves in results, in one sentence. */
  readonly results: string;
  readonly priority?: number;
  /**
   * `self`: the behaviour itself calls {@link Context.committing} inside its write. `nothing`: it reports nothing that
   * happened, as a look, the way to a token or a header, so no hook hears it, by whatever name. Default: the bus wraps
   * the event in a transaction where a hook listens on it.
   */
  readonly commits?: 'self' | 'nothing';
  readonly listen: (context: Context) => Listener;
}

export interface RouteContribution {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL';
  readonly path: string;
  readonly description: string;
  /**
   * `page` loads the session and is guarded against posts from other sites; `api` never looks at cookies and answers
   * JSON; `open` is neither (health, metadata, styles). Default `page`.
   */
  readonly door?: Door;
  /** Bytes of body that this route takes, where it differs from the settings. */
  readonly bodyBytes?: number;
  /** What the runtime refuses before the route is heard is told as RFC 6749 section 5.2 has it, not as problem details. */
  readonly isOAuth?: boolean;
  readonly listen: (context: Context) => Listener;
}

export const DOORS = ['page', 'api', 'open'] as const;
export type Door = (typeof DOORS)[number];

/** A route's door and the bytes of body that it takes: of any, and of a form with files. */
export interface Doorway {
  readonly door: Door;
  readonly bodyBytes: number;
  readonly uploadBytes: number;
  readonly isOAuth?: boolean | undefined;
}

export interface Worker {
  /** Ends it: what is under way ends or goes back to the queue. */
  stop(): Promise<void>;
  /** Wakes it: there may be work. */
  wake(): void;
  /** The process is about to end, and requests in flight are waited for: cuts short what they wait for here. Then it is stopped. */
  hurry?(): Promise<void>;
}

/** What a behaviour may use. One per plan; a request keeps the context that it started with. */
export interface Context {
  readonly plan: Plan;
  readonly services: Services;
  emit(event: string, request: Request, response: Response): Promise<Emitted>;
  /** Runs the commit listeners for an event; a behaviour with `commits: 'self'` calls it inside its write. */
  committing: CommitListener;
  /** Tells the features how a request was answered; the runtime calls it. */
  readonly answered?: AnswerListener;
}

/** A frozen plan: what the model compiled to. */
export interface Plan extends Facts {
  readonly bus: Bus;
  readonly events: readonly EventContribution[];
  readonly routes: readonly RouteContribution[];
  readonly tables: readonly SystemTable[];
  /** Method and path to what the runtime must know before it emits. */
  findDoor(method: string, path: string): Doorway;
}

/** What outlives a plan: made once by `boot.ts`, the same object through every reload. */
export interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly secret: RootSecret;
  readonly outbound: Outbound;
  readonly sessions: Sessions;
  readonly views: Views;
  readonly search: Search;
  readonly limiter: Limiter;
  readonly files: Files;
  /** Project root, absolute. */
  readonly root: string;
  /** Public address without a trailing slash, such as `http://127.0.0.1:3000`: links, issuer, redirects. */
  baseUrl(): string;
}

/** Server-side sessions, kept by `runtime/`; handlers change them through the request. */
export interface Sessions {
  /** Gives the session a new id at the end of this request: on login, logout and change of privilege. */
  renew(request: Request): void;
  /** Ends this session: it is removed and the cookie cleared. */
  end(request: Request): void;
  /** Ends all sessions of a user (`auth_id`), but for the given request's own. */
  endAll(authId: number, except?: Request): Promise<void>;
  /** A value for forms, bound to the session; pages show it as the hidden field `csrf`. */
  formToken(request: Request): string;
}

/** Treadle's own Handlebars pages in `templates/<feature>/<name>.html`. */
export interface Views {
  /** Renders a template with data; escaped by default. */
  render(feature: string, name: string, data: Readonly<Record<string, unknown>>): string;
}

/** The search of `query/`, behind an interface since features above share it through the plan. */
export interface Search {
  /** The model's search: parses the stage, restricts, runs. Results as `{ rows, total }`. */
  search(
    context: Context,
    schema: string,
    input: Readonly<Record<string, unknown>>,
    restrict?: Restriction,
  ): Promise<SearchResult>;
  /** One row by a unique column, with its relations; undefined where there is none. */
  detail(
    context: Context,
    schema: string,
    column: string,
    value: unknown,
    restrict?: Restriction,
  ): Promise<Row | undefined>;
}

export interface SearchResult {
  readonly rows: readonly Row[];
  readonly total?: number;
}

/** Holds a query to one user's rows: rows whose profile is this one, or that profile itself. */
export interface Restriction {
  readonly profileId: number;
}

/** Counts per key and minute; kept in memory, so that a read costs no write. */
export interface Limiter {
  /** Takes one; tells what is left and, where nothing is, the seconds until something is. */
  take(
    key: string,
    limit: number,
    windowSeconds: number,
  ): {
    readonly isAllowed: boolean;
    readonly left: number;
    readonly retrySeconds: number;
    /** Seconds until the window ends. */
    readonly resetSeconds?: number;
  };
}
