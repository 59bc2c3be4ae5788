import type { Refusal } from '../../core/request/response.ts';

/** A refusal with its message at one stage key. */
export const createRefusal = (field: string, message: string, status = 422): Refusal => ({
  status,
  message,
  validation: { [field]: message },
});

export const NO_DELIVERY: Refusal = { status: 404, message: 'There is no such delivery; the log holds 30 days.' };
export const NO_RECEIVER: Refusal = createRefusal('receiver', 'There is no such receiver.', 404);
