// Also on PostgreSQL: deliveries are rows that a worker takes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Response } from '../../src/core/request/response.ts';
import type { App } from '../../src/model/shape.ts';
import { addArticle } from '../boot.ts';
import { allow, CALLBACK, type OAuthSite, signUp, startOAuth } from './_oauth.ts';

interface Event {
  readonly path: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

interface Receiver {
  readonly port: number;
  readonly urls: string[];
  /** Secrets by path, with which arriving events must be signed. */
  readonly secrets: Map<string, string>;
  /** Waits for this many verified events of these types, and removes them. */
  take(count: number, ...types: string[]): Promise<Event[]>;
  /** Received events that were not taken. */
  readonly left: Event[];
  close(): Promise<void>;
}

/** Verifies all received events with the npm package. */
async function createReceiver(): Promise<Receiver> {
  const left: Event[] = [];
  const faults: unknown[] = [];
  const secrets = new Map<string, string>();
  const watch = { wake: (): void => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      try {
        const verifier = new Webhook(secrets.get(path) ?? '');
        const headers = request.headers as Record<string, string>;
        left.push({ path, ...(verifier.verify(Buffer.concat(chunks), headers) as Omit<Event, 'path'>) });
      } catch (error) {
        faults.push(`${path}: ${String(error)}`);
      }
      response.writeHead(204).end();
      watch.wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    urls: [],
    secrets,
    left,
    async take(count, ...types) {
      const find = () => left.filter(({ type }) => types.includes(type));
      const end = performance.now() + 20_000;
      while (find().length < count && faults.length === 0) {
        if (performance.now() > end) throw new Error(`came: ${JSON.stringify(left)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 200);
          watch.wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      assert.equal(faults, []);
      const found = find();
      for (const event of found) left.splice(left.indexOf(event), 1);
      return found;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ORDER = `import type { App } from 'treadle';

export default function order(app: App) {
  app.on('order-paid', async (request, response) => {
    response.setError(false).setResults({ order_id: 7, amount: request.getStage('amount'), access_token: 'tk_at_no' });
  });
  app.webhook({ type: 'order.paid', event: 'order-paid', url: 'http://127.0.0.1:PORT/order', filter: { amount: { gte: 100 } } });
  app.webhook({ type: 'order.seen', event: 'order-paid', url: 'http://127.0.0.1:PORT/seen', delivery: 'inline' });
}
`;

const HOOKS = {
  long: {
    ...{ title: 'Long', event: 'system-model-create', parameters: { schema: 'article' }, type: 'article.long' },
    ...{ filter: { article_title: { starts: 'Long' } }, fields: ['article_title', 'article_id'] },
  },
  retitled: {
    ...{ title: 'Retitled', event: 'system-model-update', parameters: { schema: 'article' }, type: 'article.retitled' },
    ...{ filter: { changed: { has: 'article_title' } }, fields: ['article_id', 'article_title'] },
  },
  linked: {
    ...{ title: 'Linked', event: 'system-relation-link', type: 'article.commented' },
    parameters: { schema1: 'article', schema2: 'comment' },
  },
  account: { title: 'Account', event: 'auth-create', type: 'account.created' },
  login: { title: 'Login', event: 'auth-login', type: 'account.entered', fields: ['auth_slug'] },
} as const;

const MINE = {
  ...{ title: 'Yours', event: 'system-model-update', parameters: { schema: 'profile' }, type: 'profile.changed' },
  audience: 'user',
};

interface World extends OAuthSite {
  readonly receiver: Receiver;
}

const webhook = suite<World>('e2e/webhook');

webhook.before(async (world) => {
  const receiver = await createReceiver();
  const to = (path: string): string => `http://127.0.0.1:${receiver.port}/${path}`;
  const opened = await startOAuth({
    change(project) {
      const write = (name: string, hook: object): void => project.write(`config/webhook/${name}.json`, hook);
      for (const [name, hook] of Object.entries(HOOKS)) write(name, { ...hook, url: to(name) });
      write('mine', MINE);
      for (const name of ['strict', 'lenient'])
        project.edit<App>(
          `config/app/${name}.json`,
          (app) => void Object.assign(app, { webhook: to(name), hooks: ['mine'] }),
        );
      project.addController('order', ORDER.replaceAll('PORT', String(receiver.port)));
    },
  });
  Object.assign(world, opened, { receiver });
  for (const name of [...Object.keys(HOOKS)])
    receiver.secrets.set(`/${name}`, String((await opened.site.cli('webhook', 'secret', name)).data.webhookSecret));
  const derive = opened.site.app.services.secret;
  const whsec = (hook: string, client = ''): string =>
    `whsec_${derive.derive(['webhook', hook, client, '1'], 32).toString('base64')}`;
  receiver.secrets.set('/order', whsec('order-paid')).set('/seen', whsec('order-seen'));
});
webhook.after(async ({ close, receiver }) => {
  await close();
  await receiver.close();
});

const emit = async ({ site }: World, event: string, stage: Record<string, unknown>): Promise<Response> => {
  const response = await site.app.emit(event, stage);
  assert.not.ok(response.isError(), String(response));
  return response;
};

webhook('a filter lets through what a search would find; fields say what is sent, in their order', async (world) => {
  await addArticle(world.site, 'Short');
  const id = await addArticle(world.site, 'Long ago');
  const [event] = await world.receiver.take(1, 'article.long');
  assert.equal(event?.data, { article_title: 'Long ago', article_id: id });
  assert.equal(Object.keys(event?.data ?? {}), ['article_title', 'article_id']);
  await emit(world, 'system-model-update', { schema: 'article', article_id: id, article_detail: '<p>New</p>' });
  await emit(world, 'system-model-update', { schema: 'article', article_id: id, article_title: 'Later' });
  assert.equal(
    (await world.receiver.take(1, 'article.retitled')).map(({ data }) => data),
    [
      {
        article_id: id,
        article_title: 'Later',
        original: { article_id: id, article_title: 'Long ago' },
        changed: ['article_title'],
      },
    ],
  );
});

webhook('any event can have a hook: a link, a sign-up, and each operation of a batch', async (world) => {
  const { receiver } = world;
  await signUp(world.site);
  const [account] = await receiver.take(1, 'account.created');
  assert.is(account?.data.auth_slug, 'someperson@example.org');
  assert.not.match(JSON.stringify(account), /scrypt|password/);
  const login = { auth_slug: 'someperson@example.org', auth_password: 'not the password' };
  assert.is((await world.site.app.emit('auth-login', login)).isError(), true);
  await emit(world, 'auth-login', { ...login, auth_password: 'a long enough word' });
  assert.equal(
    (await receiver.take(1, 'account.entered')).map(({ data }) => data),
    [{ auth_slug: login.auth_slug }],
  );
  const profileId = account?.data.profile_id;
  const comment = await emit(world, 'system-model-create', {
    ...{ schema: 'comment', comment_detail: 'Hi', profile_id: profileId },
  });
  const ids = { article_id: 1, comment_id: comment.getResults('comment_id') };
  await emit(world, 'system-relation-link', { schema1: 'article', schema2: 'comment', ...ids });
  await emit(world, 'system-relation-link', { schema1: 'article', schema2: 'comment', ...ids });
  assert.equal(
    (await receiver.take(1, 'article.commented')).map(({ data }) => data),
    [ids],
  );
  const operations = (...titles: string[]) =>
    titles.map((title) => ({
      action: 'create' as const,
      values: { article_title: title, article_detail: '<p>x</p>', article_published: '2026-01-02 03:04:05' },
    }));
  const failed = await world.site.app.emit('system-model-batch', {
    ...{ schema: 'article', operations: [...operations('Long lost'), { action: 'remove', id: 999_999 }] },
  });
  assert.ok(failed.isError());
  await emit(world, 'system-model-batch', { schema: 'article', operations: operations('Long one', 'No', 'Long two') });
  const titles = (await receiver.take(2, 'article.long')).map(({ data }) => data.article_title);
  assert.equal(titles.sort(), ['Long one', 'Long two']);
});

webhook('a hand-written hook has all of it; inline it was sent when the action answers', async (world) => {
  const { receiver } = world;
  await emit(world, 'order-paid', { amount: 5 });
  assert.equal(
    receiver.left.filter(({ type }) => type === 'order.seen').map(({ data }) => data),
    [{ order_id: 7, amount: 5 }],
  );
  await emit(world, 'order-paid', { amount: 500 });
  assert.equal(
    (await receiver.take(1, 'order.paid')).map(({ data }) => data),
    [{ order_id: 7, amount: 500 }],
  );
  await receiver.take(2, 'order.seen');
});

webhook("a user's data go to apps with this user's consent, until it is revoked", async (world) => {
  const { site, receiver, strict } = world;
  const user = await signUp(site);
  const { secret } = site.app.services;
  for (const name of ['strict', 'lenient'] as const) {
    const key = secret.derive(['webhook', 'mine', world[name].id, '1'], 32).toString('base64');
    receiver.secrets.set(`/${name}`, `whsec_${key}`);
  }
  const rename = (name: string) =>
    emit(world, 'system-model-update', { schema: 'profile', profile_id: 1, profile_name: name });
  await rename('Nobody hears');
  const asked = `/dialog/request?client_id=${strict.id}&redirect_uri=${encodeURIComponent(CALLBACK)}`;
  const code = (await allow(site, user, asked)).searchParams.get('code');
  const query = new URLSearchParams({ client_id: strict.id, client_secret: strict.secret, code: String(code) });
  const answer = await fetch(`${site.url}/rest/access?${query}`, { method: 'POST' });
  assert.is(answer.status, 200, await answer.text());
  await rename('Strict hears');
  const [heard] = await receiver.take(1, 'profile.changed');
  assert.is(heard?.path, '/strict');
  assert.is(heard?.data.profile_name, 'Strict hears');
  const found = await emit(world, 'grant-search', { auth_id: 1 });
  const [grant] = found.getResults('rows') as { app_id: number }[];
  await emit(world, 'grant-remove', { auth_id: 1, app_id: grant?.app_id });
  await rename('Nobody again');
  await emit(world, 'order-paid', { amount: 100 });
  await receiver.take(1, 'order.paid');
  const log = await emit(world, 'webhook-delivery-search', { hook: 'mine' });
  assert.is((log.getResults('rows') as unknown[]).length, 1);
});

webhook.run();
