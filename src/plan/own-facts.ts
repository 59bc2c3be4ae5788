import type { Emitted } from '../core/bus/bus.ts';
import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { Context } from './feature.ts';

/** What the rows of own code are read and written by. */
export interface OwnParts {
  /** @throws PLAN_NOT_ACTIVE */
  readonly context: () => Context;
  readonly emit: (event: string, request: Request, response: Response) => Promise<Emitted>;
}

/** What own code wants or learns of an event beyond its stage. */
export interface OwnFacts {
  /** Of a search: the number of its rows alone, or whether there is a row. */
  readonly part?: 'count' | 'first';
  /** Of a create for want of a row to change: `{ increment: 1 }` adds to the default. `id` is the primary key of the new row. */
  readonly upsert?: { readonly id: number | undefined };
  /** Of a removal and a restoration: the row before. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** Of a hand-written call: its body as its shape gives it. */
  readonly body?: unknown;
}

const facts = new WeakMap<Request, OwnFacts>();
const NONE: OwnFacts = Object.freeze({});

/** Only code of this process calls it, so no request can say it of itself. */
export const setOwnFacts = (request: Request, own: OwnFacts): unknown => facts.set(request, own);

export const getOwnFacts = (request: Request): OwnFacts => facts.get(request) ?? NONE;
