import type { Actor } from '../../access/grant.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { MESSAGES, refuse } from './errors.ts';
import { compileIdempotency } from './idempotency.ts';
import { compileKeptAnswer } from './kept-answer.ts';
import { compilePrecondition } from './precondition.ts';

/** Does a call's work, unless it is refused or need not be done. */
export type Perform = (
  actor: Actor,
  request: Request,
  response: Response,
  work: () => Promise<unknown>,
) => Promise<unknown>;

const OWN_EVENT = /^system-(?:model|relation)-/;
const JSON_RANGE = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json|problem\+json|[a-z0-9.-]+\+json))/i;
const REFUSED = /;\s*q\s*=\s*0(?:\.0*)?\s*$/i;

/** True if the client accepts JSON. @see RFC 9110 section 12.5.1 */
function takesJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => JSON_RANGE.test(range) && !REFUSED.test(range));
}

/**
 * Refuses a client that does not accept JSON. Calls with project code are exempt, since that may answer in
 * another form.
 */
function compileAccept(call: CallPlan, context: Context): (request: Request, response: Response) => boolean {
  const { event } = call.definition;
  if (call.handler || !OWN_EVENT.test(event)) return () => true;
  return (request, response) =>
    takesJson(request.getHeader('accept')) ||
    !context.plan.bus.isOwn(event) ||
    refuse(response, { status: 406, message: MESSAGES.accept });
}

/** Compiles the HTTP features of a call: content negotiation, idempotency keys, preconditions and 304. */
export function compileMiddleware(call: CallPlan, context: Context): Perform {
  const accepts = compileAccept(call, context);
  const once = compileIdempotency(call, context);
  const held = compilePrecondition(call, context);
  const known = compileKeptAnswer(call, context);
  return (actor, request, response, work) => {
    if (!accepts(request, response)) return Promise.resolve(false);
    const checked = held ? () => held(request, response, work) : work;
    const next = known ? () => known(request, response, checked) : checked;
    return once ? once(actor, request, response, next) : next();
  };
}
