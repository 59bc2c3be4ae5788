import { hasRow, toEventSample } from '../../model/hook-event.ts';
import { type HookMessage, toHookMessage } from '../../model/hook-message.ts';
import type { HookModel, Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import { toSampleRow } from './row.ts';

/** The event that the pages show; `at` is 2026-01-15T09:30:00Z. */
const SAMPLE = { id: 'msg_2b7c1f0e9d', sequence: 1042, at: 1_768_469_400 } as const;

/** The headers of every delivery. @see Standard Webhooks 1.0.0 */
export const HOOK_HEADERS: readonly HookHeader[] = [
  {
    name: 'webhook-id',
    description: 'Identifier of the event, the same at every attempt: keep it to drop what came twice',
    sample: SAMPLE.id,
  },
  {
    name: 'webhook-timestamp',
    description: 'Unix seconds of this attempt; refuse one that is more than five minutes off',
    sample: String(SAMPLE.at),
  },
  {
    name: 'webhook-sequence',
    description: 'Counts the events of this site up, so that a receiver can put them in order',
    sample: String(SAMPLE.sequence),
  },
  {
    name: 'webhook-signature',
    description: 'Signatures by space, each v1, and the base64 of an HMAC-SHA256: one that matches is enough',
    sample: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** What the headers of a format say, by their names. */
const FORMAT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'Media type of the body',
  'ce-specversion': 'Version of CloudEvents',
  'ce-id': 'Identifier of the event, as webhook-id',
  'ce-source': 'Address of this site when it happened: with ce-id it is unique',
  'ce-type': 'What happened',
  'ce-time': 'When it happened',
  'ce-sequence': 'As webhook-sequence, with zeros before, so that a comparison of texts puts events in order',
};

/** A value of a hook's filter that the sample can take as it stands: what is equal to it, or one of a list. */
function toWanted(wanted: unknown, sample: unknown): unknown {
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  if (Array.isArray(wanted)) return wanted[0] ?? sample;
  const operators = wanted as Readonly<Record<string, unknown>>;
  if ('in' in operators) return toWanted([operators.in].flat(), sample);
  if ('between' in operators) return toWanted([operators.between].flat(), sample);
  if ('null' in operators) return Number(operators.null) === 1 ? null : sample;
  return operators.eq ?? operators.gte ?? operators.lte ?? sample;
}

/** The row that a sample of the hook carries: one that its filter lets through, with the columns that it sends. */
function toSampleData({ definition }: HookModel, row: Json): Json {
  const { event, filter = {}, fields } = definition;
  const met = { ...row };
  for (const [name, wanted] of Object.entries(filter)) if (name in met) met[name] = toWanted(wanted, met[name]);
  return toEventSample(met, { event, filter, fields });
}

/** What a receiver is sent, in the format of the hook. */
function toSampleMessage(hook: HookModel, model: Model, baseUrl: string): HookMessage {
  const { type, event, format = 'standard' } = hook.definition;
  const schema = hook.schema === undefined ? undefined : model.schemas.get(hook.schema);
  const data = schema && hasRow(event) ? toSampleData(hook, toSampleRow(schema, model)) : {};
  return toHookMessage({ format, type, source: baseUrl, data: JSON.stringify(data), ...SAMPLE });
}

/** The body that a receiver is sent. */
export const toSamplePayload = (hook: HookModel, model: Model, baseUrl = 'https://example.org'): Json =>
  JSON.parse(toSampleMessage(hook, model, baseUrl).body);

export interface HookHeader {
  readonly name: string;
  readonly description: string;
  readonly sample: string;
}

/** The headers of a hook's deliveries: those of its format first, where it has any of its own. */
export function listHookHeaders(hook: HookModel, model: Model, baseUrl: string): readonly HookHeader[] {
  const { format = 'standard' } = hook.definition;
  if (format === 'standard') return HOOK_HEADERS;
  const own = Object.entries(toSampleMessage(hook, model, baseUrl).headers);
  return [...own.map(([name, sample]) => ({ name, sample, description: FORMAT_HEADERS[name] ?? '' })), ...HOOK_HEADERS];
}
