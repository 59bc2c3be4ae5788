import type { Problem } from '../core/errors.ts';
import { suggest, toDidYouMean } from '../core/text/suggest.ts';
import { hasRow } from '../model/hook-event.ts';
import type { HookModel } from '../model/model.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { CallPlan } from '../plan/feature.ts';
import { findStageKeys, type StageKeys } from './stage-key.ts';

const CODE = 'PLAN_PARAMETER_UNKNOWN';

/** Whether the feature for REST judges the key of a call by itself. */
function isJudgedElsewhere({ definition: { event } }: CallPlan, { isNear, isColumn }: ParameterMatch): boolean {
  if (event === 'system-model-search') return isNear;
  return /^system-model-(?:create|update)$/.test(event) && (isNear || isColumn);
}

interface ParameterMatch {
  readonly name: string;
  readonly near: string | undefined;
  /** True if a known key differs by some letters. */
  readonly isNear: boolean;
  /** True if the key begins as the columns of a named schema do. */
  readonly isColumn: boolean;
}

/** The keys that the stage of the event never has. */
function judge(names: readonly string[], keys: StageKeys, isNamed: boolean): ParameterMatch[] {
  return names
    .filter((name) => !keys.names.has(name))
    .map((name) => {
      const near = suggest(name, keys.names);
      const isColumn = isNamed && keys.schemas.some((schema) => name.startsWith(`${schema.name}_`));
      return { name, near, isNear: near !== undefined, isColumn };
    });
}

const namesSchema = (parameters: object): boolean => ['schema', 'schema1', 'schema2'].some((key) => key in parameters);

function findHookHint({ name, near }: ParameterMatch, { definition: { event } }: HookModel, keys: StageKeys): string {
  const isColumn = hasRow(event) && keys.schemas.some(({ row }) => row.names.has(name));
  if (isColumn) return 'Write conditions on columns of the row in "filter".';
  if (near !== undefined) return `Did you mean "${near}"?`;
  return toDidYouMean(name, [...keys.names].sort());
}

function judgeHook(hook: HookModel, plan: CompiledPlan): Problem[] {
  const { name, file, definition } = hook;
  const { event, parameters = {} } = definition;
  const keys = findStageKeys(event, parameters, plan);
  if (keys === undefined) return [];
  return judge(Object.keys(parameters), keys, namesSchema(parameters)).map((judged): Problem => {
    const isSure = judged.isNear || judged.isColumn;
    const when = isSure ? 'never fires' : "fires only where the project's code sets the key";
    return {
      code: CODE,
      file,
      path: `parameters.${judged.name}`,
      message: `The web hook "${name}" ${when}: the stage of "${event}" has no "${judged.name}".`,
      hint: findHookHint(judged, hook, keys),
      severity: isSure ? 'warning' : 'advice',
    };
  });
}

/** Whether the project's code listens to the event, and so may read any key. Before activation the bus has no other listeners. */
const isHandledByCode = (event: string, { bus }: CompiledPlan): boolean =>
  bus.hasListener(event) || bus.followers.hasFollower(event);

function judgeCall(call: CallPlan, plan: CompiledPlan): Problem[] {
  const { event, parameters = {} } = call.definition;
  if (call.handler) return [];
  const keys = findStageKeys(event, parameters, plan);
  if (keys === undefined) return [];
  const given = [...new Set([...Object.keys(parameters), ...call.parameters])];
  return judge(given, keys, namesSchema(parameters)).flatMap((judged): Problem[] => {
    const { name, near, isNear, isColumn } = judged;
    const isFixed = name in parameters;
    const isSure = isFixed && (isNear || isColumn);
    if ((isFixed && isJudgedElsewhere(call, judged)) || (!isSure && isHandledByCode(event, plan))) return [];
    const [only, ...more] = keys.schemas;
    const key = name === 'id' && more.length === 0 ? only?.primary : undefined;
    const instead = near ?? (key !== undefined && keys.names.has(key) ? key : undefined);
    const column = isColumn && keys.names.has('filter') ? `filter.${name}` : undefined;
    const hint =
      instead === undefined && column === undefined
        ? toDidYouMean(name, [...keys.names].sort())
        : `Did you mean "${isFixed ? '' : ':'}${instead ?? column}"?`;
    const what = isFixed ? `the fixed parameter "${name}"` : `":${name}" in the path`;
    const message = `"${event}" does not read ${what} of the call "${call.name}".`;
    const path = isFixed ? `parameters.${name}` : 'path';
    return [{ code: CODE, file: call.file, path, message, hint, severity: isSure ? 'warning' : 'advice' }];
  });
}

/** Names parameters of calls and web hooks that their event does not know. */
export const findParameterProblems = (plan: CompiledPlan): Problem[] => [
  ...plan.hooks.flatMap((hook) => judgeHook(hook, plan)),
  ...plan.calls.flatMap((call) => judgeCall(call, plan)),
];
