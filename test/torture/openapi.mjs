// Reads the running server's openapi.json and sends valid and broken requests. The document must describe every
// answer: its status, type, headers and body; none may be a server error (5xx).
// Usage: node --import tsx test/torture/openapi.mjs [--seed n] [--requests n] [--postgres url] [--short] [--tell]
import { Agent, request as sendRequest } from 'node:http';
import process from 'node:process';

const words = process.argv.slice(2);
const read = (name, preset) => (words.includes(name) ? words[words.indexOf(name) + 1] : preset);
const seed = Number(read('--seed', 20261121));
const isShort = words.includes('--short');
const count = Number(read('--requests', isShort ? 2000 : 20_000));
const isTelling = words.includes('--tell');
const server = read('--postgres', process.env.TREADLE_TEST_POSTGRES ?? process.env.DATABASE_URL);
// The test databases read these when they are loaded.
if (server !== undefined) process.env.TREADLE_TEST_POSTGRES = server;

const { startApi } = await import('../feature/docs/_api.ts');
const { createChecker } = await import('../feature/docs/_answers.ts');
const { createDraw, listOperations, makeRequest } = await import('./_api-requests.mjs');

/** Maximum faults to print; the run ends after these. */
const MOST = 20;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function send(url, { method, target, headers, body }) {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    let call;
    try {
      call = sendRequest({ agent, host: hostname, port, method, path: target, headers: { ...length, ...headers } });
    } catch (error) {
      // Node itself refuses to send this header: no request was made.
      done({ unsent: String(error) });
      return;
    }
    call.on('response', (message) => {
      const chunks = [];
      message.on('data', (chunk) => chunks.push(chunk));
      message.on('end', () =>
        done({
          status: message.statusCode ?? 0,
          headers: message.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
      message.on('error', (error) => done({ unsent: String(error) }));
    });
    // A body that is too large is answered before it is complete, and the connection closes.
    call.on('error', (error) => done({ unsent: String(error) }));
    call.end(body);
  });
}

function toCredentials(api) {
  const basic = `Basic ${Buffer.from(`${api.app.id}:${api.app.secret}`).toString('base64')}`;
  const bearer = { headers: { authorization: `Bearer ${api.token}` } };
  return {
    public: [{ headers: {} }],
    app: [{ headers: { authorization: basic } }, { headers: {}, query: `client_id=${api.app.id}` }],
    user: [bearer, bearer, { headers: {}, query: `access_token=${api.token}` }],
    broken: [
      { headers: {} },
      { headers: { authorization: `Bearer ${api.poor}` } },
      { headers: { authorization: 'Bearer' } },
      { headers: { authorization: `Bearer ${'x'.repeat(2000)}` } },
      { headers: { authorization: 'Basic /w==' } },
      { headers: { authorization: 'Basic !' } },
      { headers: { authorization: `Basic ${Buffer.from(`${api.app.id}:wrong`).toString('base64')}` } },
      { headers: { authorization: 'Digest x' } },
      { headers: bearer.headers, query: `access_token=${api.token}` },
      { headers: {}, query: 'access_token[]=x&client_id[a]=y' },
      { headers: {}, query: 'client_id=nobody&client_secret=x' },
    ],
  };
}

/** Sends it, and again if the server is busy and sends Retry-After; the last answer counts. */
async function sendPatiently(url, sent, busy) {
  for (let attempt = 0; ; attempt += 1) {
    const got = await send(url, sent);
    const seconds = Number(got.headers?.['retry-after']);
    if (got.status !== 503 || attempt === 2 || !(seconds > 0)) return got;
    busy.times += 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Statuses of requests that reach no operation: another method, or a changed path. */
const ELSEWHERE = new Set([200, 204, 400, 401, 404, 405, 413, 415, 501]);

function judge(checker, sent, got) {
  const path = sent.target.split('?', 1)[0];
  if (got.status >= 500 && got.status !== 501) return [`${got.status}: ${got.body.slice(0, 300)}`];
  // The parser refuses it before there is a request.
  if (got.status === 431) return [];
  const isOptions = sent.method === 'OPTIONS';
  if (!isOptions && checker.knows(sent.method, path)) return checker.check({ method: sent.method, path, ...got });
  return ELSEWHERE.has(got.status) ? [] : [`${got.status} where no call is: ${got.body.slice(0, 300)}`];
}

async function run() {
  const api = await startApi({ limits: { perMinute: 1_000_000 } });
  const checker = createChecker(api.document);
  const operations = listOperations(api.document);
  const draw = createDraw(seed);
  const credentials = toCredentials(api);
  const statuses = new Map();
  /** ETags of reads, by URL. */
  const tags = new Map();
  const faults = [];
  let left = count;
  let unsent = 0;
  const busy = { times: 0 };
  const work = async () => {
    while (left > 0 && faults.length < MOST) {
      left -= 1;
      const sent = makeRequest(api.document, operations, draw, credentials, 0.5);
      const tag = tags.get(sent.target);
      if (tag !== undefined && draw.chance(0.5)) sent.headers['if-none-match'] = tag;
      const got = await sendPatiently(api.url, sent, busy);
      if (got.status === 200 && sent.method === 'GET') tags.set(sent.target, got.headers.etag);
      if (got.unsent !== undefined) {
        unsent += 1;
        if (isTelling) console.log('unsent', got.unsent, sent.method, sent.target.slice(0, 100));
        continue;
      }
      statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1);
      const found = judge(checker, sent, got);
      if (found.length > 0)
        faults.push({ ...sent, operation: sent.operation.id, body: String(sent.body ?? '').slice(0, 500), found });
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: 8 }, work));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const alive = await fetch(`${api.url}/rest/public/hello`);
  await api.close();
  agent.destroy();
  const told = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(
    `openapi: ${count - left} requests of ${operations.length} operations in ${seconds} s on ${server === undefined ? 'SQLite' : 'PostgreSQL'}, seed ${seed}`,
  );
  console.log(
    `  ${told.join(', ')}; ${unsent} ended before an answer, ${busy.times} were told to come back; ${checker.seen.size} operations answered`,
  );
  for (const { found, ...sent } of faults) console.log(`  ${found.join('\n  ')}\n    by ${JSON.stringify(sent)}`);
  if (alive.status !== 200) console.log(`  and after it /rest/public/hello answered ${alive.status}`);
  // At most one request in fifty may end with its connection: those with a body above the limit.
  const isHeld = faults.length === 0 && alive.status === 200 && unsent <= count / 50;
  if (checker.seen.size < operations.length * 0.9) console.log('  too few operations were answered');
  return isHeld && checker.seen.size >= operations.length * 0.9;
}

process.exit((await run()) ? 0 : 1);
