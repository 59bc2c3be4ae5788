import { EMITTED } from '../../../core/bus.ts';
import { Request } from '../../../core/request.ts';
import { Response } from '../../../core/response.ts';
import type { Row } from '../../../database/database.ts';
import type { Context } from '../../../plan/feature.ts';

/** Emits an event as the person who asks; undefined if no feature hears it. */
async function ask(context: Context, event: string, stage: Row = {}): Promise<Response | undefined> {
  const request = new Request().setStage(stage);
  const response = new Response(request);
  const emitted = await context.emit(event, request, response);
  return emitted === EMITTED.unheard ? undefined : response;
}

/** The results of an event that only reads; undefined if it fails, or no feature hears it. */
export async function readResults<T = Row>(context: Context, event: string, stage: Row = {}): Promise<T | undefined> {
  const response = await ask(context, event, stage);
  return response === undefined || response.isError() ? undefined : response.getResults<T>();
}
