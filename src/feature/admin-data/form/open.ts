import { type Action, getAccess } from '../../../core/access.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { toRowVersion } from '../../../store/read/row-version.ts';
import { findSchema } from '../find-schema.ts';

/** A schema whose row a page shows or changes. */
export interface OpenForm {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly schema: SchemaModel;
}

/** A row that a page shows or changes. */
export interface OpenRow extends OpenForm {
  readonly id: number;
  /** The row as the role of the viewer may see it, with its relations' columns. */
  readonly row: Row;
  readonly version: string;
}

function refuse({ response }: Exchange, status: number, message: string): undefined {
  response.setStatus(status).setError(true, message);
  return undefined;
}

/** Emits an event of a model with a stage that code set, and gives its response. */
export async function emitModel(context: Context, event: string, stage: Row): Promise<Response> {
  const request = new Request().setStage(stage);
  const response = new Response(request);
  await context.emit(event, request, response);
  return response;
}

/** The schema that the path names. Answers 404 and 403 and gives undefined otherwise. */
export function openForm(
  context: Context,
  exchange: Exchange,
  action: Action,
  parameter = 'schema',
): OpenForm | undefined {
  const schema = findSchema(context, exchange, parameter);
  if (schema === undefined) return undefined;
  if (getAccess().grant(schema.name, action) !== undefined) return { context, exchange, schema };
  return refuse(
    exchange,
    403,
    translate('Your role does not allow this for {rows}.', { rows: toLocalText(schema.plural) }),
  );
}

/** Reads a row, also a removed one, as the viewer may see it; undefined if it is out of reach. */
export async function readRow(context: Context, schema: SchemaModel, id: number): Promise<Row | undefined> {
  const removed = schema.active === undefined ? {} : { filter: { [schema.active]: 'any' } };
  const stage = { schema: schema.name, [schema.primary]: id, expand: [], ...removed };
  const response = await emitModel(context, 'system-model-detail', stage);
  return response.isError() ? undefined : (response.getResults() as Row);
}

/** As {@link openForm}, with the row that the path names. */
export async function openRow(
  context: Context,
  exchange: Exchange,
  action: Action,
  names: { readonly schema?: string; readonly id?: string } = {},
): Promise<OpenRow | undefined> {
  const open = openForm(context, exchange, action, names.schema);
  if (!open) return undefined;
  const { schema } = open;
  const text = exchange.request.getParameters(names.id ?? 'id') ?? '';
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  const row = id > 0 ? await readRow(context, schema, id) : undefined;
  const version = row && toRowVersion(schema, row);
  if (row === undefined || version === undefined) {
    const values = { singular: toLocalText(schema.singular), id: text.slice(0, 20) };
    return refuse(exchange, 404, translate('There is no {singular} {id}, or your role does not show it.', values));
  }
  return { ...open, id, row, version };
}

/** True if the row was removed softly. */
export const isRemoved = ({ schema, row }: OpenRow): boolean =>
  schema.active !== undefined && Object.hasOwn(row, schema.active) && row[schema.active] !== 1;
