import { findCallAccess } from '../../access/grant.ts';
import { EMITTED } from '../../core/bus/bus.ts';
import type { Listener } from '../../core/bus/followers.ts';
import { compose } from '../../core/compose.ts';
import { continueWith, toPromise } from '../../core/continue-with.ts';
import { TreadleError } from '../../core/errors.ts';
import { currentScope } from '../../core/scope.ts';
import { translate } from '../../core/text/translate.ts';
import type { CallStepName } from '../../plan/call/call-step.ts';
import { assertAnswered } from '../../plan/emit/empty-stop.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { createResultCheck } from '../../plan/handler/result-check.ts';
import { compileAnswer } from './answer.ts';
import { compileAuthentication } from './authenticate.ts';
import { compileChildren } from './batch/children.ts';
import { ItemRequest } from './batch/item.ts';
import { type AnswerCache, compileCachedAnswer } from './cached-answer.ts';
import type { CallIndex } from './call-index.ts';
import { type CallExchange, type CallStep, PUBLIC } from './call-step.ts';
import { type Cors, toMark } from './cors.ts';
import { MESSAGES, refuse } from './errors.ts';
import { compileIdempotency } from './idempotency.ts';
import { compilePrecondition } from './precondition.ts';
import { compileStage } from './stage.ts';
import { isRefusedToUsers, REFUSED_TO_USERS } from './user-event.ts';

/** Sets the status of a call's successful answers, and logs once if its handler answers otherwise than the docs tell. */
function withStatus(handler: Listener, { name, status = 200, answer }: CallPlan, context: Context): Listener {
  const state = { isTold: false };
  const check = createResultCheck({ kind: 'call', name, shape: answer });
  return async (request, response, meta) => {
    const result = await handler(request, response, meta);
    if (response.isError() || response.isRedirect()) return result;
    const given = response.getStatus();
    const isEmpty = !response.hasJson() && !response.isAnswered();
    // The call says results, so an answer without any is 404.
    if (answer !== undefined && isEmpty && given === 200) response.setStatus(404).setError(true);
    else if (given === 200) response.setStatus(status);
    else if (given !== status && given < 300 && !state.isTold) {
      state.isTold = true;
      const message = `The call ${name} answers ${given}, but its docs say ${status}.`;
      const hint = `Write app.rest({ …, status: ${given} }, listener).`;
      context.services.log.warn('call.status', { call: name, message, hint });
    }
    await check(context, response);
    return result;
  };
}

/** What the calls of a plan share. */
export interface CallTools {
  readonly cache: AnswerCache;
  corsOf(context: Context): Cors;
}

/** What the routes of a plan's calls share. */
export interface CallState extends CallTools {
  readonly index: CallIndex;
}

const OWN_EVENT = /^system-(?:model|relation)-/;
const JSON_RANGE = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json|problem\+json|[a-z0-9.-]+\+json))/i;
const REFUSED = /;\s*q\s*=\s*0(?:\.0*)?\s*$/i;

/** True if the client accepts JSON. @see RFC 9110 section 12.5.1 */
function takesJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => JSON_RANGE.test(range) && !REFUSED.test(range));
}

/**
 * Refuses a client that does not accept JSON. A call that project code answers has no such step, since that may answer in
 * another form.
 */
function compileAccept(call: CallPlan, context: Context): CallStep | undefined {
  const { event } = call.definition;
  if (call.handler || !OWN_EVENT.test(event) || !context.plan.bus.isOwn(event)) return undefined;
  return {
    name: 'accept',
    run: (x, next) =>
      takesJson(x.request.getHeader('accept'))
        ? next(x)
        : refuse(x.response, { status: 406, code: 'ACCEPT_EXCLUDES_JSON', header: 'Accept', message: MESSAGES.accept }),
  };
}

/** Emits the event of the call, or runs its hand-written handler; what they return goes on to the bus. */
function compileEmit(call: CallPlan, context: Context): CallStep {
  const { handler } = call;
  const listener = handler ? withStatus(handler, call, context) : compileEvent(call, context);
  return {
    name: 'emit',
    run: (x, next) =>
      toPromise(() => listener(x.request, x.response, x.meta) as Promise<unknown>).then((result) => {
        const done = next(x);
        return done instanceof Promise ? done.then(() => result) : result;
      }),
  };
}

function compileEvent(call: CallPlan, context: Context): Listener {
  const { event } = call.definition;
  const hint = (): string =>
    translate("Add a listener with app.on('{event}', …), or name another event in {file}.", { event, file: call.file });
  if (isRefusedToUsers(call)) {
    return async (_request, response) =>
      void refuse(response, { status: 403, code: 'EVENT_NOT_BY_USER', message: REFUSED_TO_USERS });
  }
  return (request, response) =>
    context.emit(event, request, response).then((emitted) => {
      assertAnswered(context, event, emitted, response);
      if (emitted !== EMITTED.unheard) return;
      const message = `Nothing listens to "${event}", the event of "${call.name}".`;
      throw new TreadleError('REST_EVENT_UNHEARD', message, { hint: hint() });
    });
}

/** The steps of a call, in the order of CALL_STEPS: those that can do something for it. */
export function listCallSteps(call: CallPlan, context: Context, { cache, corsOf }: CallTools): CallStep[] {
  const cors = corsOf(context);
  const mark = toMark(cors, call.definition.access);
  const fill = compileStage(call, context);
  const complete = compileAnswer(call, context);
  const { together, children } = compileChildren(call, context) ?? {};
  const steps: (CallStep | undefined)[] = [
    { name: 'cors', run: (x, next) => continueWith(mark(x.request, x.response), () => next(x)) },
    ...compileAuthentication(call, context),
    {
      name: 'origin',
      run(x, next) {
        cors.withdraw(x.response, x.caller.actor);
        return next(x);
      },
    },
    {
      name: 'stage',
      run: (x, next) => continueWith(fill(x.request, x.response, x.caller.actor), (passes) => passes && next(x)),
    },
    {
      name: 'access',
      run: (x, next) =>
        continueWith(findCallAccess(context, x.caller.actor, call.isOwn), (access) =>
          currentScope.run({ ...currentScope.getStore(), access }, next, x),
        ),
    },
    compileAccept(call, context),
    compileIdempotency(call, context),
    compileCachedAnswer(call, context, cache),
    compilePrecondition(call, context),
    together,
    compileEmit(call, context),
    children,
    { name: 'complete', run: (x) => complete(x.request, x.response) },
  ];
  return steps.filter((step) => step !== undefined);
}

/** What the whole request has done for its items: it knows the caller, has counted them, and answers once. */
const OF_WHOLE: ReadonlySet<CallStepName> = new Set([
  'cors',
  'authenticate',
  'limit',
  'origin',
  'accept',
  'idempotent',
  'cached',
]);

/** Compiles a call to its listener. */
export function compileCall(call: CallPlan, context: Context, state: CallTools): Listener {
  const steps = listCallSteps(call, context, state);
  const run = compose<CallExchange>(steps);
  const runItem = compose<CallExchange>(steps.filter(({ name }) => !OF_WHOLE.has(name)));
  return (request, response, meta) => {
    if (request instanceof ItemRequest)
      return request.callName === call.name ? runItem({ request, response, meta, caller: request.caller }) : undefined;
    // A call of method `all` also receives OPTIONS, which the last route answers.
    if (request.getMethod() === 'OPTIONS') return undefined;
    return run({ request, response, meta, caller: PUBLIC });
  };
}
