import { Bus } from '../core/bus/bus.ts';
import { Followers } from '../core/bus/followers.ts';
import { type Problem, TreadleError } from '../core/errors.ts';
import type { HookModel } from '../model/model.ts';
import type { Life } from '../project/life.ts';
import type { Package, TemplateHelper } from './app.ts';
import type { DeclaredEvent } from './event/facts.ts';
import type { CallPlan, Context } from './feature.ts';
import type { JobPlan } from './job.ts';

/** When a listener runs, other than before an event's own behaviour. */
export type Phase = 'after' | 'committed';

/** A listener that runs once an event is durable. */
interface CommittedPlan {
  readonly event: string | RegExp;
  readonly schemas: ReadonlySet<string> | undefined;
  /** Name of its job. */
  readonly job: string;
  readonly attempts: number;
  readonly place: string | undefined;
}

/** A listener added by the project's own code. */
export interface RegisteredListener {
  /** A name, a pattern, a regular expression's source, or a route such as `GET /articles`. */
  readonly event: string;
  readonly priority: number;
  /** The function's name; empty if anonymous. With {@link isNamed}, the event to emit. */
  readonly name: string;
  /** True if the code gave the name of an event instead of a function. */
  readonly isNamed: boolean;
  /** `file:line` relative to the project's root; undefined if the stack does not show it. */
  readonly place: string | undefined;
  /** Undefined: before. */
  readonly phase?: Phase;
  /** Schemas that its options name. Absent: it hears of every schema. */
  readonly schemas?: readonly string[];
}

/**
 * Everything that a project's own code registers while it loads: one per plan, closed when loading ends.
 *
 * The context exists only after activation, so that loading needs no database.
 */
export interface Draft {
  readonly bus: Bus;
  readonly calls: CallPlan[];
  readonly hooks: HookModel[];
  readonly jobs: JobPlan[];
  /** Events that the project's code declares. */
  readonly events: DeclaredEvent[];
  /** Listeners that run once an event is durable; each is a job, too. */
  readonly committed: Followers<CommittedPlan>;
  readonly packages: Map<string, Package>;
  /** Template helpers of the project, by name. */
  readonly helpers: Map<string, TemplateHelper>;
  /** Every listener of the project's own code, in order of registration, with its place. */
  readonly registered: RegisteredListener[];
  /** Mistakes in the arguments of what the code registered. */
  readonly problems: Problem[];
  /** What the project's code started while it loaded. */
  readonly life: Life | undefined;
  /** The active context. @throws PLAN_NOT_ACTIVE while the project's code is being loaded. */
  context(): Context;
  /** False once loading has ended. */
  readonly isOpen: boolean;
  activate(context: Context): void;
  /** Ends loading; later registrations throw. */
  close(): void;
  /** @throws PLAN_CLOSED once loading has ended. */
  checkOpen(what: string): void;
}

export function createDraft(life?: Life, helpers: Draft['helpers'] = new Map()): Draft {
  const state: { context: Context | undefined; isClosed: boolean } = { context: undefined, isClosed: false };
  return {
    bus: new Bus(),
    calls: [],
    hooks: [],
    jobs: [],
    events: [],
    committed: new Followers(),
    packages: new Map(),
    helpers,
    registered: [],
    problems: [],
    life,
    context() {
      if (state.context) return state.context;
      throw new TreadleError('PLAN_NOT_ACTIVE', 'Events cannot be emitted while the project is being loaded.', {
        hint: 'Emit inside a listener or a route, not at the top of a controller.',
      });
    },
    get isOpen() {
      return !state.isClosed;
    },
    activate(context) {
      state.context = context;
    },
    close() {
      state.isClosed = true;
    },
    checkOpen(what) {
      if (!state.isClosed) return;
      throw new TreadleError('PLAN_CLOSED', `${what} was added after loading.`, {
        hint: 'Register routes, listeners, calls and hooks in the functions that .treadle.ts lists.',
      });
    },
  };
}
