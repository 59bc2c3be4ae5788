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
    name: 'webhook-signature',
    description: 'Signatures by space, each v1, and the base64 of an HMAC-SHA256: one that matches is enough',
    sample: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
] as const;

/** What a receiver is sent. */
export function toSamplePayload(hook: HookModel, model: Model): Json {
  const schema = hook.schema === undefined ? undefined : model.schemas.get(hook.schema);
  return {
    type: hook.definition.type,
    timestamp: '2026-01-15T09:30:00.000Z',
    data: schema ? toSampleRow(schema, model) : {},
  };
}

/** A receiver that verifies with the npm package, and one with Node alone. */
export const VERIFY_WITH_PACKAGE = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = webhook.verify(Buffer.concat(chunks), request.headers);
    console.log(event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(4000);
`;

export const VERIFY_BY_HAND = `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes as they came, before any JSON parser touched them.
export function isGenuine(rawBody, headers, secret) {
  const id = headers['webhook-id'];
  const seconds = Number(headers['webhook-timestamp']);
  if (!id || !(Math.abs(Date.now() / 1000 - seconds) < 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const wanted = createHmac('sha256', key).update(\`\${id}.\${seconds}.\${rawBody}\`).digest();
  return String(headers['webhook-signature']).split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
`;
