import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from './cell.ts';
import type { ListColumn } from './columns.ts';
import type { OpenSchema } from './open.ts';
import { createSearchStage, type ListQuery } from './query.ts';

/** A page of rows, or why the search was refused. */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly next: string | undefined;
  readonly previous: string | undefined;
  /** 200, or the status of the refusal. */
  readonly status: number;
  readonly message: string | undefined;
  /** Messages by parameter. */
  readonly faults: Readonly<Record<string, unknown>>;
}

/** What is read of each row: columns, and relations to expand. */
export interface RowSelection {
  readonly fields: readonly string[];
  readonly expand: readonly string[];
}

/** What the cells of columns are made of. */
export function createSelection({ schema, source }: OpenSchema, columns: readonly ListColumn[]): RowSelection {
  const wanted = new Set([schema.primary, ...columns.flatMap(({ needs }) => needs)]);
  // A label may lack a column that the role hides.
  const fields = [...wanted].filter((name) => source.columns.has(name));
  if (schema.active !== undefined && source.columns.has(schema.active)) fields.push(schema.active);
  return { fields: [...new Set(fields)], expand: [...new Set(columns.flatMap(({ expands }) => expands ?? []))] };
}

/**
 * Emits the search of a list, with the rights of the viewer. Whether removed rows are shown is the page's to
 * say: a request may not ask for them elsewhere.
 *
 * @param more Further keys of the stage, set by code.
 */
export async function findRows(
  { context, exchange, schema }: OpenSchema,
  query: ListQuery,
  { fields, expand }: RowSelection,
  more: Readonly<Record<string, unknown>> = {},
): Promise<RowPage> {
  const { request } = exchange;
  const inner = new Request({
    path: request.getPath('string'),
    server: () => request.getServer() as Record<string, unknown>,
  });
  inner.bringStage(createSearchStage(query));
  if (query.removed !== 'no' && schema.active !== undefined) {
    inner.setStage('filter', schema.active, query.removed === 'any' ? 'any' : 0);
  }
  inner.setStage({ schema: schema.name, fields, ...(expand.length === 0 ? {} : { expand }), ...more });
  const response = new Response(inner);
  await context.emit('system-model-search', inner, response);
  const results = (response.getResults() ?? {}) as Partial<Pick<RowPage, 'rows' | 'total' | 'next' | 'previous'>>;
  const isRefused = response.isError();
  const status = response.getStatus();
  return {
    rows: results.rows ?? [],
    total: results.total,
    next: results.next,
    previous: results.previous,
    status: isRefused ? (status >= 400 ? status : 400) : 200,
    message: isRefused ? response.getMessage() : undefined,
    faults: response.getValidation() as Readonly<Record<string, unknown>>,
  };
}
