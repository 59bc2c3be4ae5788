import type { Actor } from '../../access/grant.ts';
import type { Meta } from '../../core/bus/followers.ts';
import type { Step } from '../../core/compose.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import type { CallStepName } from '../../plan/call/call-step.ts';
import type { Child } from './batch/child.ts';

/** What a step has learned of the caller. */
export interface Caller {
  readonly actor: Actor;
  /** What its requests are counted by; undefined: they are not. */
  readonly limitKey?: string;
  /** What the caller showed, for messages about it. */
  readonly by?: 'app' | 'token';
  /** True if the token came in the query without its secret: it reads only. */
  readonly isReading?: boolean;
}

/** One REST call: all that its steps know. */
export interface CallExchange {
  readonly request: Request;
  readonly response: Response;
  readonly meta: Meta;
  /** Set by the step `authenticate`. */
  caller: Caller;
  /** Set by the step `together`: the rows to write with the row of the call. */
  children?: readonly Child[];
}

export const PUBLIC: Caller = Object.freeze({ actor: Object.freeze({ kind: 'public', scopes: Object.freeze([]) }) });

export type CallStep = Step<CallExchange, CallStepName>;
