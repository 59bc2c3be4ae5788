import type { Bus, Emitted, Listener } from '../core/bus.ts';
import type { Clock, Random } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import type { FigureSource } from '../core/figure.ts';
import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { RootSecret } from '../core/secret.ts';
import type { Database, SystemTable } from '../database/database.ts';
import type { HtmlCleaner } from '../model/field-kind.ts';
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
  /** Judge requests before static files and before the first listener, the project's own included. */
  readonly gates?: readonly ((context: Context) => PathGate)[];
  /** Hears how each request to a route was answered, once it was sent: for counters in memory, so it must be quick. */
  readonly answers?: readonly ((context: Context) => AnswerListener)[];
  /** What operators watch of it; read while `server.metrics` is not `off`. */
  readonly figures?: readonly ((context: Context) => FigureSource)[];
  readonly problems?: readonly Problem[];
}

/** Decides who may open a path. It stands between the session and the first listener, and before static files. */
export interface PathGate {
  /** Whether it guards a path. Every request of a page asks, so it must be quick; a path that nobody guards costs no session. */
  guards(path: string): boolean;
  /**
   * Judges a request to a guarded path, with the session of the person who asks.
   *
   * @returns false where the request may not go on; the answer, such as a redirect to the login, is set on the response.
   */
  judge(path: string, request: Request, response: Response): boolean | Promise<boolean>;
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
  /** Whether a form may be as large as `server.uploadBytes`: the route has a use for files. Default: as large as other bodies. */
  readonly takesFiles?: boolean;
  /** What the runtime refuses before the route is heard is told as RFC 6749 section 5.2 has it, not as problem details. */
  readonly isOAuth?: boolean;
  /** Heard before the project's listeners, so that none of them, such as a page for every path, answers in its place. */
  readonly isFirst?: boolean;
  readonly listen: (context: Context) => Listener;
}

const DOORS = ['page', 'api', 'open'] as const;
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
  /** The gates of a path; undefined where nobody guards it. */
  findGate(path: string): FoundGate | undefined;
  /** Tells the features how a request was answered; the runtime calls it. */
  readonly answered?: AnswerListener;
}

/** The gates of one path. Gives false where one of them refused and set the answer. */
export type FoundGate = (request: Request, response: Response) => Promise<boolean>;

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
  readonly limiter: Limiter;
  readonly files: Files;
  readonly metrics: Metrics;
  /** Cleans long HTML beside the event loop; absent where one piece of work is done, which nobody waits beside. */
  readonly html?: (HtmlCleaner & { close(): Promise<void> }) | undefined;
  /** Project root, absolute. */
  readonly root: string;
  /** Public address without a trailing slash, such as `http://127.0.0.1:3000`: links, issuer, redirects. */
  baseUrl(): string;
  /**
   * Ends the process after a fault that it must not survive, such as a disk that did not keep what was written: logs it, then `treadle start` and
   * `treadle dev` end at once with exit code 1. Nothing more is answered.
   */
  fail(error: unknown): void;
  /**
   * Compiles the files again and serves them, in this process and then in all others: the workers of the same
   * `treadle start --workers`, and on PostgreSQL every process on the database, each from its own files. Resolves when the
   * workers have swapped, after 12 s at most; other processes follow soon. Call it outside transactions.
   *
   * @returns The problems. With an error among them every process goes on with the former plan. In production a database
   * that lacks something is one (`DATABASE_BEHIND`).
   */
  reload(): Promise<readonly Problem[]>;
  /**
   * Compiles the project in a folder, such as a copy with a change to judge, and serves nothing of it. It reads no code that
   * was compiled before, so it costs as much as a start.
   *
   * @param root Absolute.
   * @returns No plan where a problem is more than advice.
   */
  compile(root: string): Promise<{ readonly plan: Facts | undefined; readonly problems: readonly Problem[] }>;
}

/** Figures for operators, kept by `runtime/` while `server.metrics` is not `off`. */
export interface Metrics {
  /**
   * The figures of all workers together, as Prometheus reads them, with their media type.
   *
   * @throws METRICS_UNREAD (503) where the workers do not answer.
   */
  read(): Promise<{ readonly type: string; readonly text: string }>;
  /** Whether a text is `METRICS_TOKEN`; takes the same time for every text. */
  isToken(text: string): boolean;
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
