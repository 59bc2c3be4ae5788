import type { Log } from '../core/log.ts';
import { Request } from '../core/request.ts';
import { Response } from '../core/response.ts';
import type { Exchange } from './exchange.ts';
import { toSource } from './request-source.ts';
import type { Begun } from './respond/respond.ts';

/** Emitted before an API request is refused that has not reached its route. */
const REFUSING = 'api-refuse';

/**
 * The request and response built so far. For an API request that failed before its body was read, lets features add
 * their headers (`api-refuse`).
 */
export async function markRefusal(exchange: Exchange, log: Log): Promise<Begun | undefined> {
  const { context, request, response } = exchange;
  if (request) return { request, response };
  if (exchange.kind !== 'api' || exchange.isDone || !context.plan.bus.hears(REFUSING)) return undefined;
  // The query itself may be the reason for the refusal.
  const bare = new Request(toSource({ ...exchange, query: '' }));
  const begun = new Response(bare);
  try {
    await context.emit(REFUSING, bare, begun);
  } catch (error) {
    log.error('a refusal could not be marked', { request: exchange.id, error });
  }
  return { request: bare, response: begun };
}
