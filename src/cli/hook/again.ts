import { toTable } from '../terminal.ts';

/** A receiver as the events that send again name it. */
interface Named {
  readonly hook: string;
  readonly url: string;
  readonly client_id: string | null;
}

/** Who is sent how many again. */
export interface Addressee extends Named {
  readonly count: number;
}

/** To whom nothing is sent again, and why. */
export interface Skipped extends Addressee {
  readonly reason: string;
}

/** Who was disabled, and is enabled by being sent to. */
export interface Enabled extends Named {
  readonly disabled_reason: string | null;
}

/** Receivers that are named to a person. */
const SHOWN = 10;

export const toCounted = (n: number): string => `${n} deliver${n === 1 ? 'y' : 'ies'}`;

const toName = ({ url, client_id: client }: Named): string => (client === null ? url : `${url} (${client})`);

/** At most so many, one line each, under a title. */
function toList(rows: readonly Named[], cells: readonly (readonly string[])[], title?: string): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > SHOWN ? ['  and more receivers: --json lists all'] : [];
  return [...(title === undefined ? [] : [title]), ...toTable(cells.slice(0, SHOWN).map((row) => [...row])), ...more];
}

/** For whom. */
export const toAddresseeLines = (receivers: readonly Addressee[]): string[] =>
  toList(
    receivers,
    receivers.map((each) => [`  ${each.count}`, each.hook, toName(each)]),
  );

/** Who is left out, and why. */
export const toSkippedLines = (skipped: readonly Skipped[]): string[] =>
  toList(
    skipped,
    skipped.map((each) => [`  ${each.count}`, each.hook, toName(each), each.reason]),
    'Not sent and unchanged:',
  );

/** Who was disabled, perhaps by a person, and why. @param title Such as `Enabled with that:`. */
export const toEnabledLines = (enabled: readonly Enabled[], title: string): string[] =>
  toList(
    enabled,
    enabled.map((each) => [`  ${each.hook}`, toName(each), each.disabled_reason ?? '']),
    title,
  );
