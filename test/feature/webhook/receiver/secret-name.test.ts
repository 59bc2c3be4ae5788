import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printData } from '../../../../src/feature/webhook/data.ts';
import { compileSecrets, compileWithheld } from '../../../../src/feature/webhook/receiver/secret-name.ts';
import type { HookModel } from '../../../../src/model/model.ts';
import { toModel } from '../../../store/read/_world.ts';

/** Which names in an event's data are secrets, for any event. */
const secrets = suite('webhook/secret-name');

const field = (name: string, type = 'text') => ({ name, type });
const model = toModel([
  {
    name: 'crawl',
    singular: 'Crawl',
    plural: 'Crawls',
    fields: [field('page_token'), field('secret', 'password'), field('door_key', 'password')],
  },
]);
const isSecret = compileSecrets(model);

const HIDDEN: Readonly<Record<string, unknown>> = {
  ...{ password: 'x', confirm: 'x', access_token: 'x', webhook_secrets: [{}], client_secret: 7, secret: true },
  ...{
    api_secret: 'x',
    apiSecret: 'x',
    'smtp-password': 'x',
    user_password: 1234,
    BOT_TOKEN: 'x',
    device_tokens: ['x'],
  },
  ...{
    api_key: 'x',
    apikey: 'x',
    apiKey: 'x',
    private_key: {},
    aws_secret_key: 'x',
    signing_key: 'x',
    api_keys: ['x'],
  },
  ...{ token: 'x', passphrase: 'x', page_token: 'x', crawl_secret: 'x', crawl_door_key: 'x' },
};
const SENT: Readonly<Record<string, unknown>> = {
  ...{
    article_key: 'a',
    key: 'a',
    public_key: 'a',
    idempotency_key: 'a',
    token_count: 1,
    secretary: 'Ann',
    tokenizer: 'b',
  },
  ...{ has_password: true, is_token: false, input_tokens: 512, secrets: 3, token_type: 'bearer', passwordless: 'yes' },
  ...{ crawl_page_token: 'next', monkey: 'x', secret_version: 2 },
};

secrets('what is known, a column of a secret type, and what ends as a secret does is hidden; all else is sent', () => {
  for (const [name, value] of Object.entries(HIDDEN)) assert.ok(isSecret(name, value), name);
  for (const [name, value] of Object.entries(SENT)) assert.not(isSecret(name, value), name);
});

secrets('at every depth, also of an event of no schema', () => {
  const data = { api_secret: 'x', order: { id: 7, items: [{ unlockToken: 'x', sku: 'a' }] }, crawl_page_token: 'next' };
  const printed = printData(data, { fields: undefined, isSecret });
  assert.equal(JSON.parse(printed), { order: { id: 7, items: [{ sku: 'a' }] }, crawl_page_token: 'next' });
  assert.is(
    printData({ api_secret: 'x' }, { fields: ['api_secret'], isSecret }),
    '{}',
    'nor where the hook asks for it',
  );
});

secrets('a private column is not sent at any depth, nor that it changed, unless the hook names it', () => {
  const people = toModel([
    { name: 'profile', singular: 'P', plural: 'P', fields: [field('name'), { ...field('phone'), private: true }] },
    {
      name: 'review',
      singular: 'R',
      plural: 'R',
      fields: [field('title'), { ...field('note'), private: true }],
      relations: [
        { schema: 'profile', kind: '1:1' },
        { schema: 'profile', kind: '1:1', name: 'editor' },
      ],
    },
  ]);
  const print = (fields: readonly string[] | undefined, schema: string | undefined, data: unknown): unknown => {
    const hook = { name: 'h', schema, file: 'h.json', definition: { fields } } as unknown as HookModel;
    const isWithheld = compileWithheld(hook, people, compileSecrets(people));
    return JSON.parse(printData(data, { fields, isSecret: isWithheld }));
  };
  const row = {
    review_id: 1,
    review_title: 'a',
    review_note: 'N',
    profile_name: 'Ann',
    profile_phone: 'P',
    editor_phone: 'E',
  };
  const change = { ...row, original: row, changed: ['review_title', 'review_note'] };
  const shown = { review_id: 1, review_title: 'a', profile_name: 'Ann' };
  assert.equal(print(undefined, 'review', change), { ...shown, original: shown, changed: ['review_title'] });
  assert.equal(print(undefined, undefined, { rows: [row] }), { rows: [shown] }, 'of an event of no schema');
  assert.equal(print(undefined, 'profile', { auth_id: 1, profile_phone: 'P' }), { auth_id: 1 }, 'of an account');
  const named = ['review_title', 'review_note', 'profile_phone'];
  const sent = { review_title: 'a', review_note: 'N', profile_phone: 'P' };
  assert.equal(print(named, 'review', change), { ...sent, original: sent, changed: ['review_title', 'review_note'] });
});

secrets.run();
