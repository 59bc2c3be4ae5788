import { type HookMessage, toHookMessage } from '../../model/hook-message.ts';
import type { HookModel } from '../../model/model.ts';
import { HOOK_FORMATS } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';

/** How an event is written, as its row keeps it; both null for `standard`. */
export interface Written {
  readonly format: string | null;
  /** Address of the site when it happened. */
  readonly source: string | null;
}

/** An address as a URI: a name or a path of other letters is written in ASCII. */
const toSource = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/$/, '');

/**
 * What an event's row keeps of how it is written. Every attempt then has the same bytes, also when it is sent again after
 * the hook has another format or the site another address.
 */
export function toWritten({ services }: Context, { definition }: HookModel): Written {
  const { format = 'standard' } = definition;
  return format === 'standard' ? { format: null, source: null } : { format, source: toSource(services.baseUrl()) };
}

/** An event, as its row or a delivery's has it. */
export interface EventFacts extends Written {
  readonly event_id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: string;
  /** Unix seconds. */
  readonly event_at: number;
}

/** The exact text that is signed and sent, the same at every attempt, and the headers of its format. */
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
