import type { Response } from '../../core/response.ts';

/** Why an event of this feature was refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Stage key of the invalid value. */
  readonly field?: string;
}

export const isRefusal = (value: object): value is Refusal => 'status' in value && 'message' in value;

export function refuse(response: Response, { status, message, field }: Refusal): void {
  if (field !== undefined) response.addValidation(field, message);
  response.removeResults().setStatus(status).setError(true, message);
}

export const NO_DELIVERY: Refusal = { status: 404, message: 'There is no such delivery; the log holds 30 days.' };
export const NO_RECEIVER: Refusal = { status: 404, message: 'There is no such receiver.', field: 'receiver' };
