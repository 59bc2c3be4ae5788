import { TreadleError } from '../../core/errors.ts';

/** For `app.emit(event, request)`: a request as stage would be an empty one. */
export const createResponseMissing = (event: string): TreadleError =>
  new TreadleError(
    'EMIT_RESPONSE_MISSING',
    `The event "${event}" was emitted with a request, but without a response.`,
    {
      hint: 'Write app.emit(event, request, response), or app.emit(event, { schema: … }).',
    },
  );
