import type { Refusal } from '../../core/request/response.ts';

export const NO_WAY: Refusal = {
  status: 503,
  code: 'MAIL_UNAVAILABLE',
  message: 'This site cannot send mail: its operator has not set MAIL_URL.',
};
