import { optionalId, word } from '../../plan/event/value.ts';
import { numberColumn, stateColumn, textColumn, timeColumn } from '../../plan/table/column.ts';
import { table } from '../../plan/table/table.ts';
import { MAIL_STATES, mailTable } from './sql.ts';

const STATES = {
  waiting: { label: 'Waiting', tone: 't-badge-info' },
  sent: { label: 'Sent', tone: 't-badge-success' },
  failed: { label: 'Given up', tone: 't-badge-danger' },
  kept: { label: 'Kept for the developer' },
};

/** The mails, without the sealed content: it may hold a link that opens an account. */
export const mails = table(
  {
    name: 'mail',
    source: mailTable.name,
    key: 'mail_id',
    columns: {
      mail_id: numberColumn('mail_id'),
      template: textColumn('template', { label: 'Mail' }),
      state: stateColumn('state', STATES, { label: 'State' }),
      attempts: numberColumn('attempts', { label: 'Attempts' }),
      reason: textColumn('reason'),
      created: timeColumn('created_at', { label: 'Queued' }),
      expires: timeColumn('expires_at'),
      settled: timeColumn('settled_at', { label: 'Ended' }),
    },
    filters: {
      state: { column: 'state', operator: 'eq' },
      before: { column: 'mail_id', operator: 'lt' },
    },
  },
  {
    search: {
      description: 'Lists the mails of the last 30 days, the newest first, without recipient and text.',
      kind: 'silent',
      stage: () => ({
        state: word(
          { known: MAIL_STATES, refuse: (given) => `A mail is never ${given}.` },
          `One of ${MAIL_STATES.join(', ')}.`,
        ),
        before: optionalId('Only mails with a lower id: the next page.'),
      }),
      results:
        '`rows`, at most 50: `mail_id`, `template`, `state`, `attempts`, `reason`, `created`, `expires`, `settled`; `next`: the `before` of the next page, or null.',
    },
  },
);
