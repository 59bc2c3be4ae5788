import { Agent, request as sendSecurely } from 'node:https';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { ask } from '../client.ts';
import { type GuideProxy, hasCaddy, hasNginx, startCaddy, startNginx } from './_guide-proxy.ts';

const CODE = `export default function page(app) {
  app.get('/busy', (request, response) => response.setError(true, 'Slow down.').setStatus(503).addHeader('retry-after', '1'));
  app.get('/who', (request, response) => {
    const facts = ['REMOTE_ADDR', 'HTTPS', 'HTTP_HOST'].map((name) => request.getServer(name));
    response.addHeader('content-type', 'text/plain').setContent(facts.join(' '));
  });
  app.post('/take', (request, response) => response.setContent('taken'));
}
`;
const FILES = {
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': CODE,
};
const PROCESSES = 3;
/** Requests of the client that disturbs; each is sent with two of others. */
const DISTURBANCES = 50;
/** Bytes, more than `server.bodyBytes` and less than the guide's `client_max_body_size`. */
const LARGE = 3_000_000;

type Get = (path: string, sent?: { headers?: Record<string, string>; body?: Buffer }) => Promise<Told>;
interface Told {
  readonly status: number;
  readonly text: string;
  readonly location: string;
}

interface World {
  readonly sites: readonly Site[];
  readonly proxy: GuideProxy;
  readonly get: Get;
}

async function open(start: (ports: readonly number[]) => Promise<GuideProxy>): Promise<Omit<World, 'get'>> {
  const settings = { server: { baseUrl: 'https://example.org', trustProxy: 1 } };
  const sites: Site[] = [];
  for (let count = 0; count < PROCESSES; count += 1)
    sites.push(await boot({ template: 'bare', files: FILES, settings }));
  return { sites, proxy: await start(sites.map(({ url }) => Number(new URL(url).port))) };
}

async function close(world: World | undefined): Promise<void> {
  await world?.proxy.end();
  for (const site of world?.sites ?? []) await site.close();
}

/** A connection that the proxy closed while the body was sent. */
const cut: Told = { status: 0, text: '', location: '' };
const refused = {
  body: Buffer.alloc(LARGE, 'a'),
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
};

/** While one client asks for what is answered in a way that could be held against a process, others read as before. */
async function findHarm(get: Get, disturb: () => Promise<Told>): Promise<[own: Set<number>, others: Set<number>]> {
  const own = new Set<number>();
  const others = new Set<number>();
  for (let count = 0; count < DISTURBANCES; count += 1) {
    const answers = await Promise.all([disturb(), get('/who'), get('/who')]);
    const [first, ...rest] = answers.map(({ status }) => status);
    own.add(Number(first));
    for (const status of rest) others.add(status);
  }
  return [own, others];
}

const nginx = suite<{ world?: World }>('the guide’s nginx');
const none: World = {
  sites: [],
  proxy: { port: 0, plainPort: 0, end: () => Promise.resolve() },
  get: () => Promise.reject(),
};

if (hasNginx) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false });
  const at: { world: World } = { world: none };
  const get: Get = (path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        port: at.world.proxy.port,
        host: '127.0.0.1',
        path,
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: 'example.org', ...headers, ...(body && { 'content-length': body.length }) },
      };
      const call = sendSecurely(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location ?? '' }),
        );
      });
      call.on('error', reject);
      call.end(body);
    });

  nginx.before(async () => {
    at.world = { ...(await open(startNginx)), get };
  });
  nginx.after(async () => {
    agent.destroy();
    await close(at.world);
  });

  nginx('tells the address and the scheme, whatever a client says, and keeps the figures', async () => {
    const forged = { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'http' };
    assert.is((await get('/who', { headers: forged })).text, '127.0.0.1 on example.org');
    assert.is((await get('/metrics')).status, 404);
    const plain = await ask(`http://127.0.0.1:${at.world.proxy.plainPort}/who?a=1`, {
      headers: { host: 'example.org' },
    });
    assert.is(plain.status, 301);
    assert.is(plain.location, 'https://example.org/who?a=1');
  });

  nginx('one client’s 503 take no process away from others', async () => {
    const [own, others] = await findHarm(get, () => get('/busy'));
    assert.equal([[...own], [...others]], [[503], [200]]);
  });

  nginx('one client’s refused bodies take no process away from others', async () => {
    const [own, others] = await findHarm(get, () => get('/take', refused));
    assert.equal([...others], [200], `the client itself got ${[...own]}`);
  });

  nginx('reads go to another process when one ends', async () => {
    await at.world.sites[0]?.app.close();
    const [, others] = await findHarm(get, () => get('/who'));
    assert.equal([...others], [200]);
  });
} else {
  process.stdout.write('skipped: e2e/guide-proxy: nginx (needs nginx and openssl)\n');
}
nginx.run();

const caddy = suite('the guide’s Caddy');
if (hasCaddy) {
  const at: { world: World } = { world: none };
  const get: Get = (path, { headers = {}, body } = {}) =>
    ask(`http://127.0.0.1:${at.world.proxy.port}${path}`, { headers, ...(body && { body, method: 'POST' }) });
  caddy.before(async () => {
    at.world = { ...(await open(startCaddy)), get };
  });
  caddy.after(() => close(at.world));

  caddy('tells the address, whatever a client says, and keeps the figures', async () => {
    const told = await get('/who', { headers: { 'x-forwarded-for': '9.9.9.9' } });
    assert.is(told.text, `127.0.0.1 on 127.0.0.1:${at.world.proxy.port}`);
    assert.is((await get('/metrics')).status, 404);
  });

  caddy('one client’s 503 and refused bodies take no process away from others', async () => {
    const [own, others] = await findHarm(get, () => get('/busy'));
    assert.equal([[...own], [...others]], [[503], [200]]);
    const [, besides] = await findHarm(get, () => get('/take', refused).catch(() => cut));
    assert.equal([...besides], [200]);
  });
} else {
  process.stdout.write('skipped: e2e/guide-proxy: Caddy (needs caddy)\n');
}
caddy.run();
