import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Access } from './access.ts';
import type { Validity } from './lasting.ts';
import type { Request } from './request/request.ts';
import type { Response } from './request/response.ts';
import { scopeStore } from './scope-store.ts';
import type { Locale } from './text/translate.ts';

/** The client that waits for a response. */
export interface Caller {
  /** Its address, used for taking turns under load. */
  readonly address: string;
  /** Its `X-Request-Id`, the method, and the path without query. */
  readonly id?: string;
  readonly method?: string;
  readonly path?: string;
  /** True if it came to the API, not to a page. */
  readonly isApi?: boolean;
  /** Whether it has its response: remaining work has no time limit. */
  readonly isDone: boolean;
  /** Its connection; undefined for requests that may write, which finish even if the client disconnects. */
  readonly socket?: { readonly destroyed: boolean } | undefined;
}

/** What project code did in its transaction so far. @see plan/work.ts */
export interface Watch {
  /** `file:line` of the code to warn of: the running code, or where the `after` listener is added. */
  readonly findPlace: () => string | undefined;
  /** Serializable: the database itself detects conflicts. */
  readonly isSerializable: boolean;
  hasRead: boolean;
  isLocked: boolean;
  /** True once it was warned of. */
  isTold: boolean;
}

/** What became of the emits of an `app.transaction` so far. @see plan/unit.ts */
export interface Unit {
  /** The first write that failed. All is rolled back. */
  failed:
    | {
        readonly event: string;
        readonly response: Response;
        readonly message?: string;
        /** `looks` of the response as code got it from an emit; undefined if it is a response that code gave to the emit. */
        looks: number | undefined;
      }
    | undefined;
}

/** The rows of a table that a statement reads. @see database/version/read-note.ts */
export interface ReadRows {
  readonly table: string;
  /** Which rows, by a value of a column; undefined: any. */
  tags: readonly string[] | undefined;
  /** True if the statement shows no other rows of the table, however often its text names that. */
  isAll?: boolean;
}

/** What work has read. */
export interface Reads {
  /** The texts of the statements of which only the tables are known. */
  readonly statements: Set<string>;
  readonly rows: Set<ReadRows>;
}

/**
 * Context of the running code: the exchange, the caller, and the transaction. One store for all, because each
 * store costs something at every await.
 */
export interface Scope {
  readonly request?: Request;
  readonly response?: Response;
  /** The caller, and what they may access; without it the code can access nothing. */
  readonly access?: Access;
  /** What started work outside requests, such as `job`, and its name. */
  readonly started?: { readonly by: 'job' | 'command'; readonly name: string };
  /** Undefined for commands, jobs and other work outside requests. */
  readonly caller?: Caller;
  /** The open transaction; only `database/` uses it. */
  readonly transaction?: object;
  /** The open `app.transaction`; a write that fails inside marks it for rollback. */
  readonly unit?: Unit;
  /** What listeners queue before a write, which is stored with it; only `plan/` uses it. */
  readonly deferred?: object;
  /** The load of project code that started this work outside requests, such as a timer; only `project/` uses it. */
  readonly life?: object;
  /** Language of the texts for the caller. Absent: English. */
  readonly locale?: Locale;
  /** True while an event runs that the project's code emitted in a user call. */
  readonly isOwnCode?: boolean;
  /** Set inside `app.transaction` and `app.after`. */
  readonly watch?: Watch;
  /** Collects what the work reads. */
  readonly reads?: Reads;
  /** Until when what the work makes stays true. */
  readonly lasting?: Validity;
}

/** {@link scopeStore}, with the type of what it holds. */
export const currentScope = scopeStore as AsyncLocalStorage<Scope>;

/** Runs work outside any scope. `exit` of Node would do the same, but switches its hooks off and on again. */
export const leaveScope = <T>(work: () => T): T => scopeStore.run(undefined, work);
