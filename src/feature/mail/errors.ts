import type { Response } from '../../core/response.ts';
import { toInvalidMessage } from '../../model/validate.ts';

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export const NO_WAY: Refusal = {
  status: 503,
  message: 'This site cannot send mail: its operator has not set MAIL_URL.',
};

export function refuse(response: Response, { status, message }: Refusal): void {
  response.removeResults().setStatus(status).setError(true, message);
}

/** Refuses with messages by field. */
export function refuseFields(response: Response, fields: Readonly<Record<string, string>>): void {
  for (const [field, text] of Object.entries(fields)) response.addValidation(field, text);
  refuse(response, { status: 422, message: toInvalidMessage(fields) });
}
