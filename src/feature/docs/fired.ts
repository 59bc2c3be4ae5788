import { findOwn } from '../../core/record.ts';
import { compileHookEvent } from '../../model/hook-event.ts';
import type { HookModel } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';

/** Events that an event runs for each of its parts. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  'system-model-batch': ['create', 'update', 'remove', 'restore'].map((action) => `system-model-${action}`),
};

/** A hook that a call fires, always or depending on the values of the request. */
export interface FiredItem<T> {
  readonly item: T;
  readonly isCertain: boolean;
}

const isFiring = (hook: HookModel, event: string): boolean =>
  [event, ...(findOwn(WITHIN, event) ?? [])].some(compileHookEvent(hook.definition.event));

/** True if the call's fixed parameters match the hook's; undefined if it depends on the request. */
function meets(hook: HookModel, call: CallPlan): boolean | undefined {
  const fixed = call.definition.parameters ?? {};
  const wanted = Object.entries(hook.definition.parameters ?? {});
  const answers = wanted.map(([name, value]) =>
    Object.hasOwn(fixed, name) ? JSON.stringify(fixed[name]) === JSON.stringify(value) : undefined,
  );
  if (answers.includes(false)) return false;
  return answers.includes(undefined) || 'filter' in hook.definition ? undefined : true;
}

function isFired(hook: HookModel, call: CallPlan): { readonly isCertain: boolean } | undefined {
  if (call.handler || !isFiring(hook, call.definition.event)) return undefined;
  const answer = meets(hook, call);
  const isOneOfMany = Object.hasOwn(WITHIN, call.definition.event);
  return answer === false ? undefined : { isCertain: answer === true && !isOneOfMany };
}

/** The hooks that a successful call fires. */
export const listFiredHooks = (call: CallPlan, hooks: readonly HookModel[]): FiredItem<HookModel>[] =>
  hooks.flatMap((item) => {
    const fired = isFired(item, call);
    return fired ? [{ item, ...fired }] : [];
  });

/** The calls that fire a hook. */
export const listFiringCalls = (hook: HookModel, calls: readonly CallPlan[]): FiredItem<CallPlan>[] =>
  calls.flatMap((item) => {
    const fired = isFired(hook, item);
    return fired ? [{ item, ...fired }] : [];
  });
