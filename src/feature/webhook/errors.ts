import type { Refusal } from '../../core/request/response.ts';
import { noteOthers } from '../../core/text/rule-note.ts';

/** A refusal with its message at one stage key. */
export function createRefusal(field: string, message: string, status = 422, code = 'VALIDATION_FAILED'): Refusal {
  noteOthers({ message });
  return { status, code, message, validation: { [field]: message } };
}

export const NO_DELIVERY: Refusal = {
  status: 404,
  code: 'DELIVERY_MISSING',
  message: 'There is no such delivery; the log holds 30 days.',
};
export const NO_RECEIVER: Refusal = {
  status: 404,
  code: 'RECEIVER_MISSING',
  message: 'There is no such receiver.',
  validation: { receiver: 'There is no such receiver.' },
};
