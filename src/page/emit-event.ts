import { EMITTED } from '../core/bus/bus.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import type { Row } from '../database/row-statement.ts';
import type { Context } from '../plan/feature.ts';

/** Emits an event as the viewer; undefined if it has no listener. Empty values are left out of the stage. */
export async function emitEvent(context: Context, event: string, stage: Row = {}): Promise<Response | undefined> {
  const given = Object.entries(stage).filter(([, value]) => value !== undefined && value !== '');
  const request = new Request().setStage(Object.fromEntries(given));
  const response = new Response(request);
  const emitted = await context.emit(event, request, response);
  return emitted === EMITTED.unheard ? undefined : response;
}

/** The response of an event; a 404 if it has no listener. */
export async function emitOr404(context: Context, event: string, stage: Row): Promise<Response> {
  const response = await emitEvent(context, event, stage);
  if (response !== undefined) return response;
  const missing = new Response();
  missing.refuse({ status: 404, code: 'EVENT_UNHEARD', message: `Nothing listens to ${event}.` });
  return missing;
}

/** The results of an event that only reads; undefined if it fails, or no feature hears it. */
export async function readResults<T = Row>(context: Context, event: string, stage: Row = {}): Promise<T | undefined> {
  const response = await emitEvent(context, event, stage);
  return response === undefined || response.isError() ? undefined : response.getResults<T>();
}

/** A list that an event reads, or why it did not. */
export interface EventList {
  readonly rows: readonly Row[];
  /** `before` of the next page. */
  readonly next: unknown;
  readonly results: Row;
  readonly message: string | undefined;
}

/** The rows of an event that lists. */
export async function readList(context: Context, event: string, stage: Row): Promise<EventList> {
  const response = await emitEvent(context, event, stage);
  const results = (response?.getResults() ?? {}) as Row;
  const message = response?.isError() ? response.getMessage() : undefined;
  return { rows: (results.rows ?? []) as Row[], next: results.next, results, message };
}
