import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteSet } from '../../core/bus/route-index.ts';
import { hasExtension } from '../../http/file/static.ts';
import { HTTP_STEPS } from '../../http/steps/order.ts';
import { listChildRelations } from '../../plan/call/batch.ts';
import { CALL_STEPS, type CallStepName } from '../../plan/call/call-step.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { toTable } from '../terminal.ts';
import type { CallFacts } from './call.ts';
import type { RequestMatch } from './find.ts';
import type { GuardFacts } from './role.ts';

/** What the steps of a request are explained from: definitions alone, so that nothing runs. */
export interface StepFacts {
  readonly plan: CompiledPlan;
  readonly found: RequestMatch;
  readonly set: RouteSet;
  readonly guard: GuardFacts | undefined;
  readonly call: CallFacts | undefined;
  /** Project root, absolute. */
  readonly root: string;
}

/** A step of a request, and what it decides about this one. */
export interface StepDecision {
  readonly name: string;
  readonly decided: string;
}

type HttpStepName = (typeof HTTP_STEPS)[keyof typeof HTTP_STEPS][number];
type StepDecider = (facts: StepFacts) => string;

const isRead = ({ found: { method } }: StepFacts): boolean => method === 'GET';
const toBytes = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;

function findPublicFile({ root, found: { path } }: StepFacts): string | undefined {
  const file = join(root, 'public', path);
  return existsSync(file) && statSync(file).isFile() ? `public${path}` : undefined;
}

const decideHttp: Readonly<Record<HttpStepName, StepDecider>> = {
  refuseEarly: () => 'refuses several Host headers or an invalid one with 400',
  guard: ({ guard }) =>
    guard === undefined ? 'no role guards the path' : `only for ${guard.roles.join(', ') || 'nobody, by this method'}`,
  file(facts) {
    if (!hasExtension(facts.found.path)) return 'no file is looked for: the path has no extension';
    const file = findPublicFile(facts);
    return file === undefined ? 'public/ has no such file' : `sends ${file}; the other steps do not run`;
  },
  route: ({ set, found }) =>
    found.routes.length === 0
      ? `no route: a file, ${set.methods.length > 0 ? '405' : '404'} otherwise`
      : `${found.routes[0]?.event}, served as ${set.kind}`,
  forgery: (facts) =>
    isRead(facts) ? 'GET changes nothing, so any site may link here' : 'refuses another site with 403',
  cachedPage: (facts) =>
    isRead(facts) && facts.guard === undefined
      ? 'sends the page that is cached if a listener calls setCache and no cookie comes'
      : 'no page is cached: it is guarded or not read by GET',
  session: ({ plan }) =>
    plan.model.roles.size > 0
      ? 'reads the session of the cookie, and the account with it: roles decide what shows'
      : 'reads the session of the cookie',
  body: (facts) =>
    isRead(facts)
      ? 'reads no body'
      : `reads up to ${toBytes(facts.set.bodyBytes)}, forms with files up to ${toBytes(facts.set.uploadBytes)}; 413 above`,
  formToken: (facts) => (isRead(facts) ? 'no token is needed' : 'refuses a csrf field of another session with 403'),
  access: ({ set, call }) => {
    if (set.kind === 'page') return 'the visitor’s roles';
    return call === undefined && !set.isOwn ? 'that of the public' : 'nothing, until the call knows who calls';
  },
  listeners: ({ found: { routes } }) =>
    routes.map(({ event, place, by }) => `${event} (${place ?? by})`).join(', ') || 'none',
  failure: ({ set: { kind } }) =>
    kind === 'page'
      ? 'renders the error page if the listeners left an error'
      : 'problem details if the listeners left an error',
  closeSession: () => 'stores what the listeners changed in the session',
  respond: ({ set: { kind } }) =>
    kind === 'api' ? 'ETag, and 304 for a client that has it; compressed' : 'compressed; an ETag if the page is cached',
};

const CHANGES_ROW = /^system-model-(?:update|remove|restore)$/;
const READS = /^system-model-(?:search|detail)$/;

/** Whether project code may change the answer. */
const hasProjectListener = ({ listeners }: CallFacts): boolean => listeners.some(({ by }) => by === 'project');

/** The relations whose rows the body of a call may bring; undefined for none. */
const listNames = (call: CallPlan, { plan }: StepFacts): string | undefined =>
  listChildRelations(call, plan)
    .map(({ name }) => name)
    .join(', ') || undefined;

type DecideCall = (call: CallPlan, facts: StepFacts & { readonly call: CallFacts }) => string | undefined;

/** Undefined where a call has no such step. */
const decideCall: Readonly<Record<CallStepName, DecideCall>> = {
  cors({ definition: { access } }, { plan }) {
    if (access !== 'public') return 'origins of server.cors, and of the app';
    return plan.model.settings.server.cors === undefined ? 'any origin' : 'origins of server.cors, and of every app';
  },
  authenticate: ({ definition: { access } }, { call }) => (access === 'public' ? undefined : call.credential),
  limit: ({ definition: { access } }, { call }) => (access === 'public' ? undefined : call.limit),
  scope({ definition: { access } }, { call: { scopes } }) {
    if (access === 'public') return undefined;
    if (scopes.length > 0) return `needs ${scopes.map(({ slug }) => slug).join(' or ')}`;
    return access === 'user' ? 'no scope lists the call: 403' : 'no scope lists the call: every app may call it';
  },
  origin: ({ definition: { access } }) =>
    access === 'public' ? 'stays as it is' : 'withdrawn if it is not of the calling app',
  stage: ({ definition: { parameters = {} } }) => {
    const fixed = Object.keys(parameters);
    return fixed.length === 0 ? 'from query, body and path' : `from query, body and path; fixed: ${fixed.join(', ')}`;
  },
  access: (_call, { call }) => call.rows,
  accept: ({ handler, definition: { event } }, { call }) =>
    handler || !/^system-(?:model|relation)-/.test(event) || hasProjectListener(call)
      ? undefined
      : 'refuses a client without JSON with 406',
  idempotent: ({ definition: { method } }) =>
    method === 'get' ? undefined : 'with Idempotency-Key, the first answer again for 24 hours',
  cached({ handler, definition: { event, method } }, { call }) {
    if (handler || !READS.test(event) || (method !== 'get' && method !== 'all')) return undefined;
    if (hasProjectListener(call)) return 'nothing is cached: the project listens';
    return 'the answer from before, while nobody writes its tables';
  },
  precondition: ({ handler, schema, definition: { event, concurrency } }) => {
    if (handler || schema === undefined || !CHANGES_ROW.test(event)) return undefined;
    return concurrency === 'required'
      ? 'If-Match is required: 428 without, 412 if it has changed'
      : 'If-Match, if one comes: 412 if it has changed';
  },
  together: (call, facts) =>
    listNames(call, facts) && 'reads the children in the body, and opens the transaction for them and the row',
  emit: ({ handler, definition: { event } }, { call }) =>
    handler ? `runs ${call.listeners[0]?.name || 'the handler'} of ${call.file}` : event,
  children(call, facts) {
    const names = listNames(call, facts);
    return names && `runs the calls of the children in the body: ${names}`;
  },
  complete: ({ definition: { event } }) =>
    event === 'system-model-create'
      ? '201 with Location'
      : event === 'system-model-search'
        ? 'Link to the other pages'
        : 'the status',
};

/** The steps that a request passes, in order, each with what it decides. A call's own steps come after `listeners`, which runs them. */
export function explainSteps(facts: StepFacts): StepDecision[] {
  const names: readonly HttpStepName[] = [...HTTP_STEPS.arrival, ...HTTP_STEPS[facts.set.kind]];
  return names.flatMap((name) => [
    { name, decided: decideHttp[name](facts) },
    ...(name === 'listeners' ? explainCall(facts) : []),
  ]);
}

function explainCall(facts: StepFacts): StepDecision[] {
  const { call, found } = facts;
  const plan = found.call;
  if (call === undefined || plan === undefined) return [];
  return CALL_STEPS.flatMap((name) => {
    const decided = decideCall[name](plan, { ...facts, call });
    return decided === undefined ? [] : [{ name, decided }];
  });
}

export const toStepLines = (steps: readonly StepDecision[]): string[] => [
  'steps',
  ...toTable(steps.map(({ name, decided }) => ['', name, decided])),
];
