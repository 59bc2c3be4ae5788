import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context } from '../../../plan/feature.ts';

/** The response of an event; a 404 if nothing listens to it. */
export async function ask(context: Context, event: string, stage: Row): Promise<Response> {
  const response = new Response();
  if (!context.plan.bus.hasListener(event)) {
    response.refuse({ status: 404, message: `Nothing listens to ${event}.` });
    return response;
  }
  const given = Object.entries(stage).filter(([, value]) => value !== undefined && value !== '');
  await context.emit(event, new Request().setStage(Object.fromEntries(given)), response);
  return response;
}

/** The rows of an event's results; none if it fails. */
export async function askRows(context: Context, event: string, stage: Row): Promise<Row[]> {
  const rows = (await ask(context, event, stage)).getResults('rows');
  return Array.isArray(rows) ? (rows as Row[]) : [];
}
