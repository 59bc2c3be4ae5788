import { secondsToStamp } from '../core/clock.ts';
import { findOwn } from '../core/record.ts';
import { toLocalText, translate } from '../core/text/translate.ts';
import type { Row } from '../database/row-statement.ts';
import { toList, toRecord } from '../model/json/json-parts.ts';

/** Prefix of the ids of trial events, which `webhook-test` fires. */
export const TRIAL_PREFIX = 'msg_test_';

/** A logged attempt of a delivery. */
export interface LoggedAttempt {
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request_head: Readonly<Record<string, string>> | null;
  readonly response_head: Readonly<Record<string, string>> | null;
  readonly response_body: string | null;
}

interface Badge {
  readonly label: string;
  /** CSS class in addition to `t-badge`. */
  readonly tone: string;
}

/** What people read for the state of a delivery. */
export const DELIVERY_BADGES: Readonly<Record<string, Badge>> = {
  pending: { label: 'Waiting', tone: 't-badge-info' },
  delivered: { label: 'Delivered', tone: 't-badge-success' },
  failed: { label: 'Failed', tone: 't-badge-danger' },
  disabled: { label: 'Kept', tone: '' },
};

const RECEIVER_BADGES: Readonly<Record<string, Badge>> = {
  enabled: { label: 'Enabled', tone: 't-badge-success' },
  failing: { label: 'Failing', tone: 't-badge-danger' },
  disabled: { label: 'Disabled', tone: 't-badge-danger' },
  waiting: { label: 'Waits for approval', tone: 't-badge-warning' },
  unused: { label: 'Nothing sent yet', tone: '' },
};

export const toStateChoices = (chosen: unknown): Row[] =>
  Object.entries(DELIVERY_BADGES).map(([value, { label }]) => ({
    value,
    label: translate(label),
    isChosen: value === chosen,
  }));

/** A waiting delivery that has failed before has a different label than a new one. */
export function toDeliveryBadge(row: Row): Badge {
  const { label = '', tone = '' } = findOwn(DELIVERY_BADGES, String(row.state)) ?? {};
  const isRetrying = row.state === 'pending' && Number(row.attempts) > 0;
  return isRetrying ? { label: translate('Retrying'), tone: 't-badge-warning' } : { label: translate(label), tone };
}

/** The log keeps its sentences in English, because a delivery runs outside requests. */
const toLocalReason = (text: unknown): unknown => (typeof text === 'string' ? toLocalText(text) : text);

/** A delivery of `webhook-delivery-search` for a page. */
export function toDeliveryView(row: Row): Row {
  const error = toLocalReason(row.error);
  return {
    id: Number(row.delivery_id),
    eventId: row.event_id,
    isTrial: String(row.event_id).startsWith(TRIAL_PREFIX),
    hook: row.hook,
    type: row.type,
    url: row.url,
    clientId: row.client_id,
    badge: toDeliveryBadge(row),
    isOpen: row.state === 'pending',
    attempts: Number(row.attempts),
    status: row.status,
    error,
    // Why the last attempt had no response. Left out if there is a status.
    answer: row.status === null && row.state !== 'delivered' ? error : undefined,
    // Only for deliveries that ended without an attempt; an attempt has its own error.
    reason: row.state === 'failed' || row.state === 'disabled' ? error : undefined,
    created: secondsToStamp(row.created_at),
    next: row.state === 'pending' && Number(row.attempts) > 0 ? secondsToStamp(row.next_at) : undefined,
  };
}

function toReceiverBadge({ state }: Row): Badge {
  const { label = '', tone = '' } = RECEIVER_BADGES[String(state)] ?? {};
  return { label: translate(label), tone };
}

/** A receiver of `webhook-receiver-search` for a page. */
export function toReceiverView(row: Row): Row {
  return {
    key: row.receiver,
    hook: row.hook,
    title: toLocalText(String(row.title)),
    url: row.url,
    badge: toReceiverBadge(row),
    isDisabled: row.state === 'disabled',
    isFailing: row.state === 'failing',
    // Waits for approval: neither missed deliveries nor trial events would be sent.
    isWaiting: row.waiting === true,
    canEnableOnly: row.waiting === true || Number(row.missed) > 0,
    reason: toLocalReason(row.disabled_reason),
    failingSince: secondsToStamp(row.failing_since),
    disabledAt: secondsToStamp(row.disabled_at),
    lastSuccess: secondsToStamp(row.last_success_at),
    queued: row.queued,
    missed: row.missed,
  };
}

/** Lists the receivers that were skipped, with reasons. @param results Of an event that sends again. */
export function toSkippedText(results: Row): string {
  const reasons = new Set(toList(results.skipped).map((receiver) => String(toRecord(receiver).reason)));
  return [...reasons].map((reason) => ` ${toLocalText(reason)}`).join('');
}

const toLines = (head: Readonly<Record<string, string>> | null): string | undefined =>
  head === null
    ? undefined
    : Object.entries(head)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');

/** Indents JSON; returns other text unchanged. */
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
    at: secondsToStamp(at),
    badge: {
      label: status === null ? translate('No answer') : String(status),
      tone: isGood ? 't-badge-success' : 't-badge-danger',
    },
    error: toLocalReason(error),
    milliseconds,
    requestHead: toLines(attempt.request_head),
    responseHead: toLines(attempt.response_head),
    body: body === '' ? undefined : toPretty(body),
  };
}
