import { isFor, type Listener, type Meta } from '../../core/bus/followers.ts';
import { continueWith } from '../../core/continue-with.ts';
import { isPlain } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { createStageTwin, createTwin } from '../../core/request/twin.ts';
import { ORIGINAL, UPDATE } from '../../model/hook-event.ts';
import { toRecord } from '../../model/json/json-parts.ts';
import { type CallShape, refuseIssues } from '../call/call-shape.ts';
import { getOwnFacts } from '../own-facts.ts';
import { answerWith, renameAs, whenDone } from './answer.ts';

type Values = Readonly<Record<string, unknown>>;

/** A handler that gets the stage, and the request and the response in one object. */
export type StageHandler = (
  stage: Values,
  exchange: { readonly request: Request; readonly response: Response },
  meta: Meta,
) => unknown;

/** A function of the code. The types of `App` have checked what it takes. */
export type OwnHandler = StageHandler & Listener;

/** Whether a value that the code gave is a function. */
export const isHandler = (value: unknown): value is OwnHandler => typeof value === 'function';

/** The schemas that options name; undefined: every schema. */
export const toSchemas = (schema: string | readonly string[] | undefined): ReadonlySet<string> | undefined =>
  schema === undefined ? undefined : new Set(typeof schema === 'string' ? [schema] : schema);

const getStage = (request: Request): Values => toRecord(request.getStage());

/**
 * A handler whose stage is checked and converted by a shape. A wrong value is 422.
 *
 * @param hasPath True if the parameters of the path are in the stage, whether or not the shape names them.
 */
export function compileHandler(handler: StageHandler, shape: CallShape | undefined, hasPath: boolean): Listener {
  return renameAs(handler, (request, response, meta) => {
    const stage = getStage(request);
    if (shape === undefined) return handler(stage, { request, response }, meta);
    return continueWith(shape.check(stage), ({ issues, value }) => {
      if (issues.length > 0) return void refuseIssues(response, issues, 'stage');
      const path = hasPath ? request.getParameters() : {};
      return handler({ ...path, ...toRecord(value) }, { request, response }, meta);
    });
  });
}

interface CallHandlerOptions {
  readonly body: CallShape | undefined;
  /** True if the call acts for a user. */
  readonly isUser: boolean;
}

/**
 * The handler of a call that says a shape. Its first argument has the stage, and behind it all of the request; its second one is the
 * response with `request` and `response`: older handlers are written for these two.
 */
export function compileCallHandler(handler: StageHandler, { body, isUser }: CallHandlerOptions): Listener {
  return renameAs(handler, (request, response, meta) => {
    const parsed = body && getOwnFacts(request).body;
    const profile = isUser ? { profile_id: request.getStage('profile_id') } : {};
    const stage =
      parsed === undefined ? getStage(request) : { ...toRecord(parsed), ...request.getParameters(), ...profile };
    const values = createStageTwin(request, stage, body?.names);
    return handler(values, createTwin(response, { request, response }), meta);
  });
}

/** A listener before an event's own behaviour, with options: what it returns answers the event in place of that behaviour. */
export function compileListener(handler: StageHandler, schemas: ReadonlySet<string> | undefined): Listener {
  return renameAs(handler, (request, response, meta) => {
    if (!isFor({ schemas }, request)) return undefined;
    const { errorCount } = response;
    return whenDone(handler(getStage(request), { request, response }, meta), (value) => {
      if (value === false) return false;
      return response.errorCount === errorCount && answerWith(response, value) ? false : undefined;
    });
  });
}

const REMOVALS: readonly string[] = ['system-model-remove', 'system-model-restore'];

/** The row before an update, a removal or a restoration; undefined for other events. */
function findBefore(event: string, request: Request, results: unknown): unknown {
  if (event === UPDATE) return toRecord(results)[ORIGINAL];
  // A request that removed a row may be that of another event afterwards.
  return REMOVALS.includes(event) ? getOwnFacts(request).before : undefined;
}

/** A listener after an event's own behaviour, with options: the keys of the object that it returns are set in the results. */
export function compileFollower(handler: StageHandler): Listener {
  return renameAs(handler, (request, response, meta) => {
    const { errorCount } = response;
    const row: unknown = response.getResults();
    const about = { request, response, row, before: findBefore(meta.event, request, row) };
    const stage = createStageTwin(request, getStage(request));
    return whenDone(handler(stage, createTwin(response, about), meta), (value) => {
      if (response.errorCount === errorCount && isPlain(value) && !Array.isArray(value))
        for (const [key, part] of Object.entries(value)) response.setResults(key, part);
      return value === false ? false : undefined;
    });
  });
}
