import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { deriveWebhookSecret, signWebhook } from '../../../src/core/secret/webhook-secret.ts';

const webhookSecret = suite('webhook-secret');
const root = createRootSecret('root', (bytes) => Buffer.alloc(bytes));

webhookSecret('is 32 bytes, the same each time, another for each hook, app and version', () => {
  const secret = deriveWebhookSecret(root, 'a', undefined, 1);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.is(deriveWebhookSecret(root, 'a', undefined, 1), secret);
  const others = [
    deriveWebhookSecret(root, 'b', undefined, 1),
    deriveWebhookSecret(root, 'a', 'app', 1),
    deriveWebhookSecret(root, 'a', undefined, 2),
    deriveWebhookSecret(
      createRootSecret('other', (bytes) => Buffer.alloc(bytes)),
      'a',
      undefined,
      1,
    ),
  ];
  assert.is(new Set([secret, ...others]).size, 5);
});

webhookSecret('signs as the npm package does', () => {
  const secret = deriveWebhookSecret(root, 'a', undefined, 1);
  const message = { id: 'msg_1', seconds: 1_767_225_600, body: '{"a":"ä"}' };
  const expected = new Webhook(secret).sign(message.id, new Date(message.seconds * 1000), message.body);
  assert.is(signWebhook(secret, message), expected);
});

webhookSecret.run();
