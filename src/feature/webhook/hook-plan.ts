import { hasRow } from '../../model/hook-event.ts';
import type { HookModel, Model } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/owner-column.ts';
import { compileSource } from '../../query/source.ts';
import { printData, toData } from './data.ts';
import { compileFilter, type HookFault, type KnownColumns } from './filter.ts';
import { compileWithheld, type IsSecret } from './secret-name.ts';

/** Data that a hook captured from an event's results. */
export interface Captured {
  /** Minified JSON, as it is sent. */
  readonly data: string;
  /** Profile that the data belongs to; undefined if none. */
  readonly profileId: number | undefined;
}

/** A hook, compiled once per plan. */
export interface HookPlan {
  readonly hook: HookModel;
  /** Undefined if the hook's filter rejects the data. */
  capture(event: string, results: unknown): Captured | undefined;
  readonly faults: readonly HookFault[];
}

function toProfileId(results: unknown, column: string): number | undefined {
  const id = (results as Record<string, unknown> | null | undefined)?.[column];
  const number = Number(id ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function findFieldFaults(fields: readonly string[] | undefined, columns: KnownColumns): HookFault[] {
  return (fields ?? []).flatMap((name, index) =>
    columns === undefined || columns.has(name)
      ? []
      : [{ path: `fields[${index}]`, message: `"${name}" is not a column that is sent.` }],
  );
}

/** Compiles a hook's filter and columns, and finds the owner of its data. */
export function compileHookPlan(hook: HookModel, model: Model, isSecret: IsSecret): HookPlan {
  const { event, filter: wanted, fields } = hook.definition;
  const schema = hook.schema === undefined || !hasRow(event) ? undefined : model.schemas.get(hook.schema);
  const isAsking = wanted !== undefined || fields !== undefined;
  const columns = schema && isAsking ? compileSource(model, schema).columns : undefined;
  const owner = (schema && findOwnerColumn(schema)) ?? 'profile_id';
  const filter = compileFilter(wanted, columns);
  const isWithheld = compileWithheld(hook, model, isSecret);
  return {
    hook,
    faults: [...filter.faults, ...findFieldFaults(fields, columns)],
    capture(emitted, results) {
      const data = toData(emitted, results, schema?.updated);
      if (!filter.isPassed(data)) return undefined;
      return { data: printData(data, { fields, isSecret: isWithheld }), profileId: toProfileId(results, owner) };
    },
  };
}
