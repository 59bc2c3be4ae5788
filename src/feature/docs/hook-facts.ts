import { isObject } from '../../core/record.ts';
import { hasRow, toEventSample } from '../../model/hook-event.ts';
import { type HookMessage, toHookMessage } from '../../model/hook-message.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { HookModel, Model } from '../../model/model.ts';
import { createSampleRow } from './row.ts';

/** The example event of the pages; `at` is 2026-01-15T09:30:00Z. */
const SAMPLE = { id: 'msg_2b7c1f0e9d', sequence: 1042, at: 1_768_469_400 } as const;

/** The headers of every delivery. @see Standard Webhooks 1.0.0 */
export const HOOK_HEADERS: readonly HookHeader[] = [
  {
    name: 'webhook-id',
    description: 'Identifier of the event, the same for every attempt: store it to detect duplicates',
    sample: SAMPLE.id,
  },
  {
    name: 'webhook-timestamp',
    description: 'Unix seconds of this attempt; reject one that is more than five minutes off',
    sample: String(SAMPLE.at),
  },
  {
    name: 'webhook-sequence',
    description: 'Increasing number of this site’s events, so that a receiver can sort them',
    sample: String(SAMPLE.sequence),
  },
  {
    name: 'webhook-signature',
    description: 'Signatures separated by spaces, each v1, and the base64 of an HMAC-SHA256: one match is enough',
    sample: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** Descriptions of the headers of the formats, by name. */
const FORMAT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'Media type of the body',
  'ce-specversion': 'Version of CloudEvents',
  'ce-id': 'Identifier of the event, as webhook-id',
  'ce-source': 'URL of this site at the time of the event: unique together with ce-id',
  'ce-type': 'What happened',
  'ce-time': 'When it happened',
  'ce-sequence': 'As webhook-sequence, padded with zeros, so that it sorts as text',
};

/** A value of a hook's filter that the sample can use directly: an equal value, or one of a list. */
function findSampleValue(wanted: unknown, sample: unknown): unknown {
  if (Array.isArray(wanted)) return wanted[0] ?? sample;
  if (!isObject(wanted)) return wanted;
  if ('in' in wanted) return findSampleValue([wanted.in].flat(), sample);
  if ('between' in wanted) return findSampleValue([wanted.between].flat(), sample);
  if ('null' in wanted) return Number(wanted.null) === 1 ? null : sample;
  return wanted.eq ?? wanted.gte ?? wanted.lte ?? sample;
}

/** The example row of a hook: one that matches its filter, with the columns that it sends. */
function toSampleData({ definition }: HookModel, row: Json): Json {
  const { event, filter = {}, fields } = definition;
  const met = { ...row };
  for (const [name, wanted] of Object.entries(filter)) if (name in met) met[name] = findSampleValue(wanted, met[name]);
  return toEventSample(met, { event, filter, fields });
}

/** The example message, in the format of the hook. */
function createSampleMessage(hook: HookModel, model: Model, baseUrl: string): HookMessage {
  const { type, event, format = 'standard' } = hook.definition;
  const schema = hook.schema === undefined ? undefined : model.schemas.get(hook.schema);
  const data =
    schema && hasRow(event) ? toSampleData(hook, createSampleRow(schema, model, hook.definition.fields)) : {};
  return toHookMessage({ format, type, source: baseUrl, data: JSON.stringify(data), ...SAMPLE });
}

/** The example body. */
export const createSamplePayload = (hook: HookModel, model: Model, baseUrl = 'https://example.org'): Json =>
  JSON.parse(createSampleMessage(hook, model, baseUrl).body);

export interface HookHeader {
  readonly name: string;
  readonly description: string;
  readonly sample: string;
}

/** The headers of a hook's deliveries: first those of its format, if any. */
export function listHookHeaders(hook: HookModel, model: Model, baseUrl: string): readonly HookHeader[] {
  const { format = 'standard' } = hook.definition;
  if (format === 'standard') return HOOK_HEADERS;
  const own = Object.entries(createSampleMessage(hook, model, baseUrl).headers);
  return [...own.map(([name, sample]) => ({ name, sample, description: FORMAT_HEADERS[name] ?? '' })), ...HOOK_HEADERS];
}
