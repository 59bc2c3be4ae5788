import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request } from './request.ts';
import type { Response } from './response.ts';

/**
 * What the code that runs now belongs to: the exchange that it answers and the transaction that it is in.
 * One store for both, since each store costs something at every await.
 */
export interface Scope {
  readonly request?: Request;
  readonly response?: Response;
  /** The open transaction, owned and read by `database/` only. */
  readonly transaction?: object;
  /** The `app.transaction` that is open; an emit that fails inside marks it, and it is rolled back. */
  readonly unit?: { isFailed: boolean };
}

export const currentScope = new AsyncLocalStorage<Scope>();
