import { isNamePattern } from '../../core/bus/pattern.ts';
import { isObject } from '../../core/record.ts';
import { isSafeKey } from '../../core/request/registry.ts';
import type { Request } from '../../core/request/request.ts';
import { compileHookEvent } from '../../model/hook-event.ts';
import type { HookModel } from '../../model/model.ts';
import type { HookPlan } from './hook-plan.ts';

/** Finds the hooks of an event. Exact names are looked up; patterns are tested and skip read-only events. */
export type FindHooks = (event: string) => readonly HookPlan[];

export function compileHooks(plans: readonly HookPlan[]): FindHooks {
  const exact = new Map<string, HookPlan[]>();
  const patterns: { isFit: (event: string) => boolean; plan: HookPlan }[] = [];
  for (const plan of plans) {
    const { event } = plan.hook.definition;
    if (isNamePattern(event)) patterns.push({ isFit: compileHookEvent(event), plan });
    else exact.set(event, [...(exact.get(event) ?? []), plan]);
  }
  return (event) => {
    const named = exact.get(event) ?? [];
    if (patterns.length === 0) return named;
    return [...named, ...patterns.filter(({ isFit }) => isFit(event)).map(({ plan }) => plan)];
  };
}

/**
 * Whether the stage contains everything that a definition wants. A stage from a query holds strings: 1
 * equals "1".
 */
function isSame(wanted: unknown, found: unknown): boolean {
  if (!isObject(wanted)) return !isObject(found) && String(wanted ?? '') === String(found ?? '');
  if (!isObject(found) || Array.isArray(wanted) !== Array.isArray(found)) return false;
  if (Array.isArray(wanted) && wanted.length !== (found as unknown as unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([key, value]) => isSafeKey(key) && Object.hasOwn(found, key) && isSame(value, found[key]),
  );
}

/** The stage of a link with its ends in the other order; undefined for other events. */
function turnAround(stage: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const { schema1, schema2 } = stage;
  return schema1 === undefined || schema2 === undefined ? undefined : { ...stage, schema1: schema2, schema2: schema1 };
}

/** Whether every key of the hook's parameters equals the stage's. Of a link, whichever schema either names first. */
export function isMatch(hook: HookModel, request: Request): boolean {
  const { parameters } = hook.definition;
  if (parameters === undefined) return true;
  const stage = request.getStage();
  if (isSame(parameters, stage)) return true;
  if (parameters.schema1 === undefined && parameters.schema2 === undefined) return false;
  const turned = turnAround(stage as Readonly<Record<string, unknown>>);
  return turned !== undefined && isSame(parameters, turned);
}
