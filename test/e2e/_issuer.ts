import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;

/** How a test lets the issuer misbehave, once. */
export interface Twist {
  /** Replaces claims of the ID token; undefined removes one. */
  readonly claims?: Claims;
  /** `none`, or another key than the published one. */
  readonly signature?: 'none' | 'other' | 'hs256';
  /** Replaces the answer of the token endpoint. */
  readonly token?: { readonly status: number; readonly body: unknown };
  /** Replaces parameters of the redirect back; undefined removes one. */
  readonly back?: Readonly<Record<string, string | undefined>>;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string | null;
  readonly redirectUri: string;
  readonly clientId: string;
}

type Reply = (status: number, body: unknown) => void;

const key = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const toPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function toToken(claims: Claims, privateKey: KeyObject, signature: Twist['signature']): string {
  const alg = signature === 'none' ? 'none' : signature === 'hs256' ? 'HS256' : 'RS256';
  const head = `${toPart({ alg, kid: 'k1', typ: 'JWT' })}.${toPart(claims)}`;
  if (signature === 'none') return `${head}.`;
  return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
}

const readBody = async (message: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
};

/** An OpenID provider, and an OAuth provider as GitHub is one, that a test can let misbehave. */
export class FakeIssuer {
  url = '';
  /** Who signs in. */
  user: Claims = { sub: 'u1', email: 'ada@example.org', email_verified: true, name: 'Ada' };
  /** What `/user/emails` lists. */
  emails: unknown = [];
  twist: Twist = {};
  /** Requests by path. */
  readonly asked: Record<string, number> = {};
  readonly #server = createServer((message, answer) => void this.#answer(message, answer));
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Set<string>();
  readonly #own = key();
  readonly #other = key();
  #last = 0;
  /** The published issuer, if it differs from the address. */
  issuer: string | undefined;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(message: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '', this.url);
    this.asked[url.pathname] = (this.asked[url.pathname] ?? 0) + 1;
    const json: Reply = (status, body) => {
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (url.pathname === '/.well-known/openid-configuration') return json(200, this.#metadata());
    if (url.pathname === '/jwks') return json(200, { keys: [this.#jwk()] });
    if (url.pathname === '/authorize') return this.#authorize(url, answer);
    if (url.pathname === '/token') return this.#token(await readBody(message), message, json);
    if (!this.#tokens.has(String(message.headers.authorization).replace('Bearer ', ''))) return json(401, {});
    if (url.pathname === '/user') return json(200, this.user);
    if (url.pathname === '/user/emails') return json(200, this.emails);
    return json(404, {});
  }

  #jwk(): Claims {
    return { ...this.#own.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
  }

  #metadata(): Claims {
    return {
      issuer: this.issuer ?? this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #authorize(url: URL, answer: ServerResponse): void {
    const asked = url.searchParams;
    this.#last += 1;
    const code = `code-${this.#last}`;
    const redirectUri = asked.get('redirect_uri') ?? '';
    this.#grants.set(code, {
      challenge: asked.get('code_challenge') ?? '',
      nonce: asked.get('nonce'),
      redirectUri,
      clientId: asked.get('client_id') ?? '',
    });
    const back = new URL(redirectUri);
    const usual = { code, state: asked.get('state') ?? '', iss: this.issuer ?? this.url };
    for (const [name, value] of Object.entries({ ...usual, ...this.twist.back }))
      if (value !== undefined) back.searchParams.set(name, value);
    answer.writeHead(302, { location: back.href }).end();
  }

  #token(form: URLSearchParams, message: IncomingMessage, json: Reply): void {
    const { twist } = this;
    if (twist.token) return void json(twist.token.status, twist.token.body);
    const grant = this.#grants.get(form.get('code') ?? '');
    this.#grants.delete(form.get('code') ?? '');
    const isProved =
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url') === grant?.challenge;
    const basic = Buffer.from(String(message.headers.authorization).replace('Basic ', ''), 'base64').toString();
    const secret = basic.startsWith('site:')
      ? decodeURIComponent(basic.slice(5).replaceAll('+', ' '))
      : form.get('client_secret');
    if (!grant || !isProved || grant.redirectUri !== form.get('redirect_uri') || secret !== 'provider secret')
      return void json(400, { error: 'invalid_grant' });
    const access = `access-${this.#last}`;
    this.#tokens.add(access);
    json(200, { access_token: access, token_type: 'Bearer', id_token: this.#idToken(grant) });
  }

  #idToken({ nonce, clientId }: Grant): string | undefined {
    // An OAuth provider has no ID token.
    if (nonce === null) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: this.issuer ?? this.url, aud: clientId, iat: now, exp: now + 300, nonce, ...this.user };
    const claims = { ...usual, ...this.twist.claims };
    const { signature } = this.twist;
    return toToken(claims, signature === 'other' ? this.#other.privateKey : this.#own.privateKey, signature);
  }
}
