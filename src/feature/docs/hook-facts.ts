import type { HookModel, Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import { toSampleRow } from './row.ts';

/** The headers of every delivery. @see Standard Webhooks 1.0.0 */
export const HOOK_HEADERS = [
  {
    name: 'webhook-id',
    description: 'Identifier of the event, the same at every attempt: keep it to drop what came twice',
    sample: 'msg_2b7c1f0e9d',
  },
  {
    name: 'webhook-timestamp',
    description: 'Unix seconds of this attempt; refuse one that is more than five minutes off',
    sample: '1768469400',
  },
  {
    name: 'webhook-sequence',
    description: 'Counts the events of this site up, so that a receiver can put them in order',
    sample: '1042',
  },
  {
    name: 'webhook-signature',
    description: 'Signatures by space, each v1, and the base64 of an HMAC-SHA256: one that matches is enough',
    sample: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
] as const;

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
  const { filter = {}, fields } = definition;
  const met = { ...row };
  for (const [name, wanted] of Object.entries(filter)) if (name in met) met[name] = toWanted(wanted, met[name]);
  if (fields === undefined) return met;
  return Object.fromEntries(fields.filter((name) => name in met).map((name) => [name, met[name]]));
}

/** What a receiver is sent. */
export function toSamplePayload(hook: HookModel, model: Model): Json {
  const schema = hook.schema === undefined ? undefined : model.schemas.get(hook.schema);
  return {
    type: hook.definition.type,
    timestamp: '2026-01-15T09:30:00.000Z',
    data: schema ? toSampleData(hook, toSampleRow(schema, model)) : {},
  };
}
