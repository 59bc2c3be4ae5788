import { setImmediate as turn } from 'node:timers/promises';
import type { Messages } from '../core/request/response.ts';
import { toDefault } from './field/field-default.ts';
import { fieldKinds, type PrepareTools, ValueRefused } from './field/field-kind.ts';
import { UUID } from './field/field-kind-special.ts';
import { readGroups } from './field/fieldset-group.ts';
import { toRequiredMessage } from './field/validate.ts';
import { decodeJson, encodeJson } from './json/json-value.ts';
import type { ColumnModel } from './model.ts';

/**
 * Thrown if a value turns out to be invalid while it is prepared, with its message, or those of a fieldset's
 * groups.
 */
export class ColumnRefused extends Error {
  override readonly name = 'ColumnRefused';
  readonly messages: string | Messages;

  constructor(messages: string | Messages) {
    super(typeof messages === 'string' ? messages : 'A group of fields is not valid');
    this.messages = messages;
  }
}

function explain(error: unknown, { label }: ColumnModel): unknown {
  return error instanceof ValueRefused ? new ColumnRefused(`${label} ${error.message}`) : error;
}

/**
 * Prepares a valid value of a column for storage. Gives a promise only if needed.
 *
 * @throws {@link ColumnRefused}
 */
export function prepareColumn(column: ColumnModel, value: unknown, tools: PrepareTools): unknown {
  if (column.parts) return prepareGroups(column, column.parts, value, tools);
  const { field } = column;
  try {
    const prepared = fieldKinds[field.type].prepare(value, tools, field);
    if (!(prepared instanceof Promise)) return prepared;
    return prepared.catch((error: unknown) => {
      throw explain(error, column);
    });
  } catch (error) {
    throw explain(error, column);
  }
}

/**
 * Milliseconds of work on a field's groups before other requests get a turn; there may be a thousand groups.
 */
const TURN_MS = 10;

/** A fieldset's groups as JSON, each field prepared like a column of its type. */
async function prepareGroups(
  column: ColumnModel,
  parts: readonly ColumnModel[],
  value: unknown,
  tools: PrepareTools,
): Promise<string | null> {
  const messages: Messages = {};
  const groups: Record<string, unknown>[] = [];
  const coerced = fieldKinds.fieldset.coerce(value, tools.now);
  let begun = performance.now();
  for (const { key, values } of readGroups(column, coerced) ?? []) {
    if (performance.now() - begun > TURN_MS) {
      await turn();
      begun = performance.now();
    }
    const group: Record<string, unknown> = {};
    const own: Messages = key === '' ? messages : {};
    for (const part of parts) {
      try {
        group[part.name] = await preparePart(part, values, tools);
      } catch (error) {
        if (!(error instanceof ColumnRefused)) throw error;
        own[part.name] = error.messages;
      }
    }
    if (key !== '' && Object.keys(own).length > 0) messages[key] = own;
    groups.push(group);
  }
  if (Object.keys(messages).length > 0) throw new ColumnRefused(messages);
  if (groups.length === 0) return null;
  return encodeJson(column.field.multiple === true ? groups : groups[0]);
}

async function preparePart(
  part: ColumnModel,
  values: Readonly<Record<string, unknown>>,
  tools: PrepareTools,
): Promise<unknown> {
  const { field, name, isRequired } = part;
  const sent = Object.hasOwn(values, name) ? values[name] : undefined;
  const kind = fieldKinds[field.type];
  // Each change sends a group completely, so its identifier is kept.
  if (field.type === 'uuid' && typeof sent === 'string' && UUID.test(sent)) return sent.toLowerCase();
  const prepared = await prepareColumn(part, sent === undefined ? toDefault(field, tools.now) : sent, tools);
  if (prepared === null && isRequired && !kind.isSystem) throw new ColumnRefused(toRequiredMessage(part));
  return kind.isJson && typeof prepared === 'string' ? decodeJson(prepared) : (prepared ?? null);
}
