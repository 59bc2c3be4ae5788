import { type HookMessage, toHookMessage } from '../../model/hook-message.ts';
import type { HookModel } from '../../model/model.ts';
import { HOOK_FORMATS } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';

/** The format of an event, as saved with it; both null for `standard`. */
export interface MessageFormat {
  readonly format: string | null;
  /** Public address of the site when the event happened. */
  readonly source: string | null;
}

/** An address as a URI: other letters in a host name or path are encoded in ASCII. */
const toSource = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/$/, '');

/**
 * The format saved with an event, so that every attempt sends the same bytes, even if the hook's format or
 * the site's address changes before a replay.
 */
export function findMessageFormat({ services }: Context, { definition }: HookModel): MessageFormat {
  const { format = 'standard' } = definition;
  return format === 'standard' ? { format: null, source: null } : { format, source: toSource(services.baseUrl()) };
}

/** An event, as in its row or that of a delivery. */
export interface EventFacts extends MessageFormat {
  readonly event_id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: string;
  /** Unix seconds. */
  readonly event_at: number;
}

/** The exact text to sign and send, equal for all attempts, and the headers of its format. */
export const toMessage = (row: EventFacts): HookMessage =>
  toHookMessage({
    format: HOOK_FORMATS.find((format) => format === row.format) ?? 'standard',
    id: row.event_id,
    sequence: Number(row.sequence),
    source: row.source ?? '',
    type: row.type,
    at: Number(row.event_at),
    data: row.data,
  });
