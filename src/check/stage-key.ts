import { isNamePattern } from '../core/bus/pattern.ts';
import { compileHookEvent } from '../model/hook-event.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import { listStageKeys } from '../plan/event/describe.ts';
import type { EventFacts } from '../plan/event/facts.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The keys that the stage of an event may have. */
export interface StageKeys {
  /** Schemas that the parameters name; every schema if they name none. */
  readonly schemas: readonly SchemaModel[];
  readonly names: ReadonlySet<string>;
}

const SCHEMA_KEYS = ['schema', 'schema1', 'schema2'] as const;

/** Undefined if a named schema is broken or does not exist, which is reported elsewhere. */
function listSchemas(model: Model, parameters: Parameters): readonly SchemaModel[] | undefined {
  const keys = SCHEMA_KEYS.filter((key) => key in parameters);
  const named = keys.flatMap((key) => model.schemas.get(String(parameters[key])) ?? []);
  if (named.length < keys.length) return undefined;
  return named.length > 0 ? named : [...model.schemas.values()];
}

/**
 * What the stage of an event may have, from the description of the event; undefined for an event of the project's own code.
 *
 * @param event A name or a pattern.
 */
export function findStageKeys(
  event: string,
  parameters: Parameters,
  plan: { readonly events: readonly EventFacts[]; readonly model: Model },
): StageKeys | undefined {
  const fits = isNamePattern(event) ? compileHookEvent(event) : (name: string) => name === event;
  const contributions = plan.events.filter(({ name }) => fits(name));
  // A declared event without a shape takes anything.
  const isOpen = contributions.some(({ declared }) => declared !== undefined && declared.stage?.keys === undefined);
  if (isOpen || contributions.length === 0) return undefined;
  const schemas = listSchemas(plan.model, parameters);
  if (schemas === undefined) return undefined;
  // Of a model without schemas, the keys that depend on none.
  const named = schemas.length > 0 ? schemas : [undefined];
  const keys = contributions.flatMap((record) =>
    named.flatMap((schema) => listStageKeys(record, schema).map((key) => key.split('[', 1)[0] ?? key)),
  );
  return { schemas, names: new Set(keys) };
}
