import { toStamp } from '../../core/clock.ts';
import type { Row } from '../../database/database.ts';
import type { LoggedAttempt } from './log-sql.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { DeliveryState } from './tables.ts';
import { isTrial } from './trial.ts';

interface Badge {
  readonly label: string;
  /** Class of the badge beside `t-badge`. */
  readonly tone: string;
}

const DELIVERY_BADGES: Readonly<Record<DeliveryState, Badge>> = {
  pending: { label: 'Waiting', tone: 't-badge-accent' },
  delivered: { label: 'Delivered', tone: 't-badge-success' },
  failed: { label: 'Failed', tone: 't-badge-danger' },
  disabled: { label: 'Kept', tone: '' },
};

const RECEIVER_BADGES: Readonly<Record<ReceiverState, Badge>> = {
  enabled: { label: 'Enabled', tone: 't-badge-success' },
  failing: { label: 'Failing', tone: 't-badge-danger' },
  disabled: { label: 'Disabled', tone: 't-badge-danger' },
  waiting: { label: 'Waits for approval', tone: 't-badge-warning' },
  unused: { label: 'Nothing sent yet', tone: '' },
};

/** Unix seconds as pages show them; undefined where there are none. */
export const toTime = (seconds: unknown): string | undefined =>
  seconds === null || seconds === undefined ? undefined : toStamp(Number(seconds) * 1000);

export const toStateChoices = (chosen: unknown): Row[] =>
  Object.entries(DELIVERY_BADGES).map(([value, { label }]) => ({ value, label, isChosen: value === chosen }));

/** A waiting delivery that has failed before reads otherwise than a new one. */
function toBadge(row: Row): Badge {
  const badge = DELIVERY_BADGES[row.state as DeliveryState];
  return row.state === 'pending' && Number(row.attempts) > 0 ? { ...badge, label: 'Retrying' } : badge;
}

/** A delivery of `webhook-delivery-search` for a page. */
export function toDeliveryView(row: Row): Row {
  return {
    id: Number(row.delivery_id),
    eventId: row.event_id,
    isTrial: isTrial(String(row.event_id)),
    hook: row.hook,
    type: row.type,
    url: row.url,
    clientId: row.client_id,
    badge: toBadge(row),
    isOpen: row.state === 'pending',
    attempts: Number(row.attempts),
    status: row.status,
    error: row.error,
    // Why the last attempt had no answer, or why there was none: where a status is, it says enough.
    answer: row.status === null && row.state !== 'delivered' ? row.error : undefined,
    // Of one that ended without an attempt; an attempt tells its own.
    reason: row.state === 'failed' || row.state === 'disabled' ? row.error : undefined,
    created: toTime(row.created_at),
    next: row.state === 'pending' && Number(row.attempts) > 0 ? toTime(row.next_at) : undefined,
  };
}

/** A receiver of `webhook-receiver-search` for a page. */
export function toReceiverView(row: Row): Row {
  return {
    key: row.receiver,
    hook: row.hook,
    title: row.title,
    url: row.url,
    badge: RECEIVER_BADGES[row.state as ReceiverState],
    isDisabled: row.state === 'disabled',
    isFailing: row.state === 'failing',
    // For approval: what it missed would not be sent, nor would a trial event.
    isWaiting: row.waiting === true,
    canEnableOnly: row.waiting === true || Number(row.missed) > 0,
    reason: row.disabled_reason,
    failingSince: toTime(row.failing_since),
    disabledAt: toTime(row.disabled_at),
    lastSuccess: toTime(row.last_success_at),
    queued: row.queued,
    missed: row.missed,
  };
}

/** Whom nothing was sent to again, and why: sentences after another, or nothing. @param results Of an event that sends again. */
export function toSkippedText(results: Row): string {
  const reasons = new Set(((results.skipped ?? []) as Row[]).map(({ reason }) => String(reason)));
  return [...reasons].map((reason) => ` ${reason}`).join('');
}

const toLines = (head: Readonly<Record<string, string>> | null): string | undefined =>
  head === null
    ? undefined
    : Object.entries(head)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');

/** JSON as a person reads it; any other text as it is. */
export function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** One attempt for a page; headers as lines. */
export function toAttemptView(attempt: LoggedAttempt): Row {
  const { number, at, status, error, milliseconds } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  const body = attempt.response_body ?? '';
  return {
    nth: number,
    at: toTime(at),
    badge: {
      label: status === null ? 'No answer' : String(status),
      tone: isGood ? 't-badge-success' : 't-badge-danger',
    },
    error,
    milliseconds,
    requestHead: toLines(attempt.request_head),
    responseHead: toLines(attempt.response_head),
    body: body === '' ? undefined : toPretty(body),
  };
}
