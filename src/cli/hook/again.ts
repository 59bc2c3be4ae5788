import { toTable } from '../terminal.ts';
import { type Receiver, toReceiverText } from './receiver.ts';

/** A receiver in the results of events that send again. */
type ReceiverName = Pick<Receiver, 'hook' | 'url' | 'client_id'>;

/** Who is sent how many again. */
export interface Addressee extends ReceiverName {
  readonly count: number;
}

/** A receiver skipped by a replay, and why. */
export interface SkippedReceiver extends Addressee {
  readonly reason: string;
}

/** Who was disabled, and is enabled by being sent to. */
export interface EnabledReceiver extends ReceiverName {
  readonly disabled_reason: string | null;
}

/** Receivers that are named to a person. */
const SHOWN = 10;

export const toCounted = (n: number): string => `${n} deliver${n === 1 ? 'y' : 'ies'}`;

/** At most {@link SHOWN} receivers, one line each, below a title. */
function toList<T extends ReceiverName>(rows: readonly T[], toCells: (row: T) => string[], title?: string): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > SHOWN ? ['  and more receivers: --json lists all'] : [];
  return [...(title === undefined ? [] : [title]), ...toTable(rows.slice(0, SHOWN).map(toCells)), ...more];
}

const toCells = (row: Addressee): string[] => [`  ${row.count}`, row.hook, toReceiverText(row)];

/** The receivers to send to. */
export const toAddresseeLines = (rows: readonly Addressee[]): string[] => toList(rows, toCells);

/** The receivers that are skipped, and why. */
export const toSkippedLines = (rows: readonly SkippedReceiver[]): string[] =>
  toList(rows, (row) => [...toCells(row), row.reason], 'Not sent and unchanged:');

/** The receivers that were disabled, and why. @param title Such as `Enabled with that:`. */
export const toEnabledLines = (rows: readonly EnabledReceiver[], title: string): string[] =>
  toList(rows, (row) => [`  ${row.hook}`, toReceiverText(row), row.disabled_reason ?? ''], title);
