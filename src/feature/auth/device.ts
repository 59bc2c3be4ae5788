import { createHmac } from 'node:crypto';
import { toSeconds } from '../../core/clock.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { digest, isSameSecret } from '../../core/secret/secret.ts';
import type { Services } from '../../plan/feature.ts';
import type { AuthRow } from './sql.ts';

/** A browser stays known for 180 days after its last login. */
const KNOWN_SECONDS = 180 * 86_400;
/** Accounts remembered per browser, newest first: people share browsers. */
const MOST_ACCOUNTS = 4;
const SEPARATOR = '~';
const TOKEN = /^(\d{1,15})\.(\d{1,12})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/;

interface Token {
  readonly text: string;
  readonly authId: number;
  /** Unix seconds. */
  readonly until: number;
  readonly id: string;
  readonly mac: string;
}

const isSecure = (request: Request): boolean => request.getServer('HTTPS') === 'on';
const toName = (request: Request): string => (isSecure(request) ? '__Secure-device' : 'device');

function readTokens(request: Request, now: number): Token[] {
  const value = request.getCookies(toName(request));
  if (typeof value !== 'string') return [];
  return value
    .split(SEPARATOR, MOST_ACCOUNTS)
    .flatMap((text) => {
      const [, authId, until, id, mac] = TOKEN.exec(text) ?? [];
      if (authId === undefined || until === undefined || id === undefined || mac === undefined) return [];
      return [{ text, authId: Number(authId), until: Number(until), id, mac }];
    })
    .filter(({ until }) => until > now);
}

/** Bound to the account and its password: a new password invalidates all other browsers. */
function sign({ secret }: Services, auth: AuthRow, until: number, id: string): string {
  const text = `${auth.auth_id}.${until}.${id}.${digest(auth.auth_password)}`;
  return createHmac('sha256', secret.derive(['auth', 'device']))
    .update(text)
    .digest('base64url');
}

/** Key of the request's browser if the account has logged in with it; else undefined. */
export function findDevice(services: Services, request: Request, auth: AuthRow | undefined): string | undefined {
  if (!auth) return undefined;
  const token = readTokens(request, toSeconds(services.clock.now())).find(({ authId }) => authId === auth.auth_id);
  if (!token || !isSameSecret(token.mac, sign(services, auth, token.until, token.id))) return undefined;
  return `device ${token.id}`;
}

/**
 * Marks the browser as known to the account. The cookie grants no access: it only exempts from limits that
 * strangers caused.
 */
export function rememberDevice(services: Services, request: Request, response: Response, auth: AuthRow): void {
  const now = toSeconds(services.clock.now());
  const others = readTokens(request, now).filter(({ authId }) => authId !== auth.auth_id);
  const until = now + KNOWN_SECONDS;
  const id = services.random(12).toString('base64url');
  const own = `${auth.auth_id}.${until}.${id}.${sign(services, auth, until, id)}`;
  const value = [own, ...others.map(({ text }) => text)].slice(0, MOST_ACCOUNTS).join(SEPARATOR);
  const attributes = `Path=/auth; Max-Age=${KNOWN_SECONDS}; HttpOnly; SameSite=Lax`;
  const cookie = `${toName(request)}=${value}; ${attributes}${isSecure(request) ? '; Secure' : ''}`;
  const before = response.getHeaders('set-cookie') ?? [];
  response.addHeader('set-cookie', [before, cookie].flat());
}
