import { compilePattern } from '../../core/bus/pattern.ts';
import { compileCallShape } from '../call/call-shape.ts';
import type { Draft } from '../draft.ts';
import type { HandwrittenCall, HandwrittenHook } from '../handwritten.ts';
import { STATUSES } from '../registration.ts';
import { answering } from './answer.ts';
import { compileCallHandler, type OwnHandler } from './handler.ts';

function toCallName(call: HandwrittenCall): string {
  if (call.name !== undefined) return call.name;
  const words = call.path.split('/').map((segment) => segment.replace(/[^A-Za-z0-9]+/g, ''));
  const name = [...words.filter(Boolean), call.method].join('-').toLowerCase();
  return /^[a-z]/.test(name) ? name : `call-${name}`;
}

/** Adds a hand-written call. @throws REST_SHAPE_INVALID */
export function addCall(
  draft: Draft,
  call: HandwrittenCall,
  { handler, file }: { readonly handler: OwnHandler; readonly file: string },
): void {
  const path = `/rest${call.path}`;
  const { scope, title = `${call.method.toUpperCase()} ${call.path}`, access, method, description } = call;
  const status = STATUSES.includes(call.status) ? call.status : undefined;
  const body = call.body && compileCallShape(call.body, `The body of ${call.method} ${call.path}`);
  const answer = call.answer && compileCallShape(call.answer, `The answer of ${call.method} ${call.path}`);
  draft.calls.push({
    name: toCallName(call),
    definition: {
      title,
      access,
      method,
      path: call.path,
      event: `${method.toUpperCase()} ${path}`,
      ...(description === undefined ? {} : { description }),
    },
    path,
    parameters: compilePattern(path).names,
    scopes: scope === undefined ? [] : [scope],
    schema: undefined,
    isOwn: access === 'user',
    file,
    handler: answering(body || answer ? compileCallHandler(handler, { body, isUser: access === 'user' }) : handler),
    status,
    body,
    answer,
  });
}

/** Adds a hand-written web hook. */
export function addHook(draft: Draft, hook: HandwrittenHook, file: string): void {
  const { title = hook.type, name = hook.type.replaceAll('.', '-'), parameters, filter, fields, ...rest } = hook;
  const schema = parameters?.schema;
  draft.hooks.push({
    name,
    definition: {
      ...rest,
      title,
      ...(parameters === undefined ? {} : { parameters: { ...parameters } }),
      ...(filter === undefined ? {} : { filter: { ...filter } }),
      ...(fields === undefined ? {} : { fields: [...fields] }),
    },
    schema: typeof schema === 'string' ? schema : undefined,
    file,
  });
}
