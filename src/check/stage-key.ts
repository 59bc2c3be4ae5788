import { isNamePattern } from '../core/bus/pattern.ts';
import { findOwn } from '../core/record.ts';
import { compileHookEvent } from '../model/hook-event.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import { describeStage } from '../plan/event/describe.ts';
import type { EventRecord } from '../plan/feature.ts';

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

/** Keys that stand for columns and ids of the schemas in an event's description of its stage. */
const PLACEHOLDERS: Readonly<Record<string, (schema: SchemaModel) => readonly string[]>> = {
  '<schema>_id': ({ primary, columns }) => [
    primary,
    `${primary}_1`,
    `${primary}_2`,
    ...columns.filter(({ isUnique, field }) => isUnique || /^(?:uuid|slug)$/.test(field.type)).map(({ name }) => name),
  ],
  '<column>': ({ row, primary }) => [...row.stored, ...row.names, primary],
  '<relation>_id': ({ relations, primary }) => [
    primary,
    ...relations.flatMap(({ name, target }) => [`${name}_id`, `${target}_id`]),
  ],
};

/** The related schemas of others: a child is linked by the id of its parent. */
const listParents = ({ name }: SchemaModel, model: Model): string[] =>
  [...model.schemas.values()]
    .filter(({ relations }) => relations.some(({ target }) => target === name))
    .map(({ primary }) => primary);

/**
 * What the stage of an event may have, from the description of the event; undefined for an event of the project's own code.
 *
 * @param event A name or a pattern.
 */
export function findStageKeys(
  event: string,
  parameters: Parameters,
  plan: { readonly events: readonly EventRecord[]; readonly model: Model },
): StageKeys | undefined {
  const fits = isNamePattern(event) ? compileHookEvent(event) : (name: string) => name === event;
  const contributions = plan.events.filter(({ name }) => fits(name));
  if (contributions.length === 0) return undefined;
  const schemas = listSchemas(plan.model, parameters);
  if (schemas === undefined) return undefined;
  const names = contributions
    .flatMap((record) => Object.keys(describeStage(record)))
    .flatMap((key) => {
      const find = findOwn(PLACEHOLDERS, key);
      if (find === undefined) return [key.split('[', 1)[0] ?? key];
      const parents = key === '<relation>_id' ? schemas.flatMap((schema) => listParents(schema, plan.model)) : [];
      return [...schemas.flatMap(find), ...parents];
    });
  return { schemas, names: new Set(names) };
}
