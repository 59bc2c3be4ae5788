import { columnToStamp } from '../../../core/clock.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { listMails, MAIL_STATES, type MailRow } from '../sql.ts';

const LIMIT = 50;

/** Without the sealed content: it may hold a link that opens an account. */
const toView = (row: MailRow): Row => ({
  mail_id: Number(row.mail_id),
  template: row.template,
  state: row.state,
  attempts: Number(row.attempts),
  reason: row.reason,
  created: columnToStamp(row.created_at),
  expires: columnToStamp(row.expires_at),
  settled: columnToStamp(row.settled_at),
});

export const mailSearch: EventContribution = {
  name: 'mail-search',
  description: 'Lists the mails of the last 30 days, the newest first, without recipient and text.',
  stage: {
    state: `One of ${MAIL_STATES.join(', ')}.`,
    before: 'Only mails with a lower id: the next page.',
  },
  results:
    '`rows`, at most 50: `mail_id`, `template`, `state`, `attempts`, `reason`, `created`, `expires`, `settled`; `next`: the `before` of the next page, or null.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const given = request.getStage('state');
    const state = MAIL_STATES.find((known) => known === given);
    if (given !== undefined && given !== '' && state === undefined) {
      const message = `A mail is never ${String(given)}. ${toDidYouMean(String(given), MAIL_STATES) ?? ''}`.trim();
      return response.refuse({ status: 422, message, validation: { state: message } });
    }
    const before = Number(request.getStage('before'));
    const found = await listMails(context.services.database, LIMIT + 1, {
      state,
      before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
    });
    const rows = found.slice(0, LIMIT).map(toView);
    response.succeed({ rows, next: found.length > LIMIT ? rows.at(-1)?.mail_id : null });
  },
};
