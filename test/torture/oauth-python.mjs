// A client in another language, unpatched, from Debian's package python3-requests-oauthlib, over https: a proxy in
// front of the server, with a certificate of an authority created here, and a client that trusts only that one.
// Usage: node --import tsx test/torture/oauth-python.mjs. Names missing programs and then runs nothing.
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, Agent as SecureAgent, request as secureRequest } from 'node:https';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Browser, CALLBACK, editSettings, OAuthSite, PERSON } from './_oauth-site.mjs';

const script = fileURLToPath(new URL('oauth_client.py', import.meta.url));
const PYTHONS = ['/usr/bin/python3', 'python3'];
const isRunning = (program, ...argv) => {
  try {
    execFileSync(program, argv, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** An authority and a certificate for localhost under it. */
function certify(folder) {
  const openssl = (...argv) => execFileSync('openssl', argv, { cwd: folder, stdio: 'ignore' });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...fresh, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Treadle test');
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  openssl('req', ...fresh, '-keyout', 'site.key', '-out', 'site.csr', ...name);
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy', '-days', '2'];
  openssl('x509', '-req', '-in', 'site.csr', '-out', 'site.pem', ...signed);
  const read = (file) => readFileSync(join(folder, file));
  return { ca: read('ca.pem'), cert: read('site.pem'), key: read('site.key') };
}

/** The TLS proxy in front of the http server. */
function createProxy({ cert, key }, target) {
  return createServer({ cert, key }, (req, res) => {
    const headers = { ...req.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' };
    const { hostname, port } = new URL(target.url);
    const onward = request({ hostname, port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
}

/** As `fetch`, with an authority that only this test knows. */
function createFetch(ca) {
  const agent = new SecureAgent({ ca });
  return (url, { method = 'GET', headers, body } = {}) =>
    new Promise((done, refuse) => {
      const asked = secureRequest(url, { method, headers, agent }, async (answer) => {
        const parts = [];
        for await (const part of answer) parts.push(part);
        const kept = new Headers();
        for (const [name, value] of Object.entries(answer.headers)) {
          for (const one of [value].flat()) kept.append(name, one);
        }
        const status = answer.statusCode;
        done({ status, headers: kept, text: async () => Buffer.concat(parts).toString() });
      });
      asked.on('error', refuse);
      asked.end(body);
    });
}

/** Runs the client, opens URLs as its user, and returns its output. */
async function drive(python, env, open) {
  const child = spawn(python, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await lines.next();
    assert.ok(value !== undefined, 'the client said why it ended');
    return JSON.parse(value);
  };
  const { url } = await next();
  child.stdin.end(`${await open(url)}\n`);
  return next();
}

const python = PYTHONS.find((program) => isRunning(program, '-c', 'import requests_oauthlib'));
if (python === undefined)
  process.stdout.write('skipped: no python3 with requests_oauthlib (Debian: python3-requests-oauthlib)\n');
else if (!isRunning('openssl', 'version')) process.stdout.write('skipped: no openssl\n');
else {
  const site = new OAuthSite();
  const target = {};
  let proxy;
  try {
    const client = await site.make();
    editSettings(site.root, (settings) => Object.assign(settings.server, { trustProxy: true }));
    const authority = certify(site.folder);
    proxy = createProxy(authority, target);
    await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
    const issuer = `https://localhost:${proxy.address().port}`;
    target.url = await site.start({ TREADLE_BASE_URL: issuer });
    const browser = new Browser(createFetch(authority.ca));
    await browser.signUp(issuer);
    const env = {
      PATH: process.env.PATH,
      CA_FILE: join(site.folder, 'ca.pem'),
      ISSUER: issuer,
      CLIENT_ID: client.id,
      CLIENT_SECRET: client.secret,
      // The redirect URI is passed as text: nothing listens there.
      CALLBACK,
      OAUTHLIB_INSECURE_TRANSPORT: '1',
    };
    const seen = await drive(python, env, (url) => browser.allow(url));
    assert.deepEqual(seen, {
      issuer,
      type: 'Bearer',
      rotated: true,
      statuses: [200, 200, 200, 401],
      name: PERSON.name,
    });
    process.stdout.write(`requests-oauthlib over ${issuer}: authorized, called, refreshed, revoked\n`);
  } finally {
    proxy?.close();
    proxy?.closeAllConnections();
    await site.close();
  }
}
