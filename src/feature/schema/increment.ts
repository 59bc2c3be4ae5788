import type { Request } from '../../core/request/request.ts';
import type { Row } from '../../database/row-statement.ts';
import { toDefault } from '../../model/field/field-default.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Stage } from './stage.ts';

/** Digits that a number keeps: the sum of 0.1 and 0.2 is 0.3. */
const DIGITS = 15;

function readIncrement(value: unknown): number | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { increment } = value;
  return typeof increment === 'number' && Number.isFinite(increment) ? increment : undefined;
}

/** Changes of number columns by an amount, `{ increment: 1 }`. Only code asks for them: what a request brought is a value. */
export function listIncrements(schema: SchemaModel, stage: Stage, request: Request): ReadonlyMap<string, number> {
  const found = schema.columns.flatMap(({ name, field }) => {
    const amount = fieldKinds[field.type].group === 'number' ? readIncrement(stage[name]) : undefined;
    return amount === undefined || request.isBrought(name) ? [] : [[name, amount] as const];
  });
  return new Map(found);
}

/** The values after the increments; a missing one counts as 0. */
export const applyIncrements = (increments: ReadonlyMap<string, number>, stored: Row): Row =>
  Object.fromEntries(
    [...increments].map(([name, amount]) => [name, Number((Number(stored[name] ?? 0) + amount).toPrecision(DIGITS))]),
  );

/** The stage of a new row: increments add to the defaults. */
export function startIncrements(schema: SchemaModel, stage: Stage, request: Request, now: number): Stage {
  const increments = listIncrements(schema, stage, request);
  if (increments.size === 0) return stage;
  const fields = schema.columns.filter(({ name }) => increments.has(name));
  const defaults = Object.fromEntries(fields.map(({ name, field }) => [name, toDefault(field, now)]));
  return { ...stage, ...applyIncrements(increments, defaults) };
}
