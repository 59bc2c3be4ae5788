import { findOptionError } from '../../model/filter/operand.ts';
import { CHANGED, compileHookEvent, hasRow, ORIGINAL, UPDATE } from '../../model/hook-event.ts';
import type { HookModel, Model } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import { compileSource } from '../../store/read/source/source.ts';
import { printData, toData } from './data.ts';
import { compileFilter, type HookError, type KnownColumns } from './filter.ts';
import { compileWithheld, type IsSecret } from './receiver/secret-name.ts';

/** Data that a hook captured from an event's results. */
export interface CapturedData {
  /** Minified JSON, as it is sent. */
  readonly data: string;
  /** Profile that the data belongs to; undefined if none. */
  readonly profileId: number | undefined;
}

/** A hook, compiled once per plan. */
export interface HookPlan {
  readonly hook: HookModel;
  /** Undefined if the hook's filter rejects the data. */
  capture(event: string, results: unknown): CapturedData | undefined;
  readonly errors: readonly HookError[];
}

function findProfileId(results: unknown, column: string): number | undefined {
  const id = (results as Record<string, unknown> | null | undefined)?.[column];
  const number = Number(id ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function findFieldErrors(fields: readonly string[] | undefined, columns: KnownColumns): HookError[] {
  return (fields ?? []).flatMap((name, index) =>
    columns === undefined || columns.has(name)
      ? []
      : [{ path: `fields[${index}]`, message: `"${name}" is not a column that is sent.` }],
  );
}

/** Values in `parameters` that no row of the stage can have: conditions as in a filter, and unknown options. */
function findMatchErrors(parameters: Readonly<Record<string, unknown>>, columns: KnownColumns): HookError[] {
  return Object.entries(parameters).flatMap(([name, wanted]): HookError[] => {
    const column = columns?.get(name);
    if (column === undefined || column.type === 'json') return [];
    const path = `parameters.${name}`;
    const isMany = typeof wanted === 'object' && wanted !== null;
    const message = `"${path}" must be one value, which the stage has exactly so.`;
    if (isMany) return [{ path, message, hint: 'Write conditions in "filter".', severity: 'warning' }];
    const error = findOptionError(column, 'eq', wanted);
    if (error === undefined) return [];
    const [, what = error, hint = ''] = /^(.*?[.]) (.+)$/.exec(error) ?? [];
    return [{ path, message: `"${path}" ${what}`, hint, severity: 'warning' }];
  });
}

/** What was before, in the filter of a hook whose data do not say it: it never fires. */
function findFormerErrors(
  event: string,
  filter: Readonly<Record<string, unknown>>,
  columns: KnownColumns,
): HookError[] {
  if (columns === undefined || compileHookEvent(event)(UPDATE)) return [];
  return Object.keys(filter).flatMap((name): HookError[] => {
    const [head = ''] = name.split('.', 1);
    if ((head !== CHANGED && head !== ORIGINAL) || columns.has(head)) return [];
    const message = `The web hook never fires: only the data of "${UPDATE}" have "${head}".`;
    const hint = `Remove it from "filter", or make the event "${UPDATE}".`;
    return [{ path: `filter.${name}`, message, hint, severity: 'warning' }];
  });
}

/** Compiles a hook's filter and columns, and finds the owner of its data. */
export function compileHookPlan(hook: HookModel, model: Model, isSecret: IsSecret): HookPlan {
  const { event, parameters = {}, filter: wanted, fields } = hook.definition;
  const schema = hook.schema === undefined || !hasRow(event) ? undefined : model.schemas.get(hook.schema);
  const isAsking = wanted !== undefined || fields !== undefined || Object.keys(parameters).length > 1;
  const columns = schema && isAsking ? compileSource(model, schema).columns : undefined;
  const owner = (schema && findOwnerColumn(schema)) ?? 'profile_id';
  const filter = compileFilter(wanted, columns);
  const isWithheld = compileWithheld(hook, model, isSecret);
  return {
    hook,
    errors: [
      ...filter.errors,
      ...findFieldErrors(fields, columns),
      ...findMatchErrors(parameters, columns),
      ...findFormerErrors(event, wanted ?? {}, columns),
    ],
    capture(emitted, results) {
      const data = toData(emitted, results, schema?.updated);
      if (!filter.isPassed(data)) return undefined;
      return { data: printData(data, { fields, isSecret: isWithheld }), profileId: findProfileId(results, owner) };
    },
  };
}
