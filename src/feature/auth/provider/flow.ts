import { createHash } from 'node:crypto';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { createToken, digest, isSameSecret } from '../../../core/secret/secret.ts';
import { toBasePath, toCookieName } from '../../../core/text/base-path.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findToken, issueToken, LINK_SECONDS, NOBODY_ID, takeToken } from '../mail/mail-token.ts';
import { loadLibrary, type ProviderServer } from './server.ts';

/** What a sign-in remembers while the user is at the provider. Stored sealed, under the digest of `state`. */
export interface Flow {
  readonly provider: string;
  readonly nonce: string;
  /** PKCE. @see RFC 7636 */
  readonly verifier: string;
  /** Digest of the browser's cookie. */
  readonly browser: string;
  /** Path to go to afterwards. */
  readonly target: string;
  /** The account that gets the provider; undefined for a sign-in. */
  readonly linkTo?: number | undefined;
}

const BROWSER = /^[A-Za-z0-9_-]{43}$/;

const isSecure = (request: Request): boolean => request.getServer('HTTPS') === 'on';
const toName = ({ services }: Context, request: Request): string =>
  toCookieName('signin', isSecure(request), toBasePath(services.baseUrl()));

function readBrowser(context: Context, request: Request): string | undefined {
  const value = request.getCookies(toName(context, request));
  return typeof value === 'string' && BROWSER.test(value) ? value : undefined;
}

/** Binds the flow to the browser: nobody can end in another browser what he began in his. Gives the cookie's value. */
function bindBrowser(context: Context, request: Request, response: Response): string {
  // The same for several tabs of one browser.
  const value = readBrowser(context, request) ?? createToken(context.services.random);
  const attributes = `Path=/; Max-Age=${LINK_SECONDS.provider}; HttpOnly; SameSite=Lax`;
  const cookie = `${toName(context, request)}=${value}; ${attributes}${isSecure(request) ? '; Secure' : ''}`;
  response.addHeader('set-cookie', [response.getHeaders('set-cookie') ?? [], cookie].flat());
  return value;
}

export const toRedirectUri = ({ services }: Pick<Context, 'services'>, { name }: { readonly name: string }): string =>
  `${services.baseUrl()}/auth/provider/${name}/callback`;

export interface SignInRequest {
  readonly target: string;
  readonly linkTo?: number | undefined;
  /** Lets the user choose an account at the provider, instead of the one in use there. */
  readonly isAgain: boolean;
}

/** The `prompt` for a sign-in that asks the user again; empty if the provider declares none. */
function toPrompt({ prompt = '' }: ProviderModel, { metadata }: ProviderServer): string {
  const declared = metadata.prompt_values_supported;
  return Array.isArray(declared) && declared.includes('login') ? 'login' : prompt;
}

/** Begins a sign-in: the provider's address with `state`, `nonce` and the PKCE challenge. */
export async function beginFlow(
  context: Context,
  { request, response }: Exchange,
  {
    provider,
    server,
    options,
  }: { readonly provider: ProviderModel; readonly server: ProviderServer; readonly options: SignInRequest },
): Promise<string> {
  const { random } = context.services;
  const [nonce, verifier] = [createToken(random), createToken(random)];
  const browser = digest(bindBrowser(context, request, response));
  const { target, linkTo, isAgain } = options;
  const flow: Flow = { provider: provider.name, nonce, verifier, browser, target, linkTo };
  const state = await issueToken(context.services, 'provider', NOBODY_ID, JSON.stringify(flow));
  const url = new URL(server.metadata.authorization_endpoint ?? '');
  const isOpenId = provider.issuer !== undefined;
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: toRedirectUri(context, provider),
    scope: provider.scope,
    state,
    ...(isOpenId ? { nonce } : {}),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(isOpenId && isAgain ? { prompt: toPrompt(provider, server) } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value);
  // Loaded while the user is away, so that the callback need not wait for it.
  void loadLibrary();
  return url.href;
}

/** Takes the flow of a callback; undefined if it was used, is too old, or began in another browser or for another provider. */
export async function takeFlow(context: Context, request: Request, provider: ProviderModel): Promise<Flow | undefined> {
  const { services } = context;
  const token = await findToken(services, request.getGet('state'), 'provider');
  if (token?.data === undefined) return undefined;
  const flow = JSON.parse(token.data) as Flow;
  const browser = readBrowser(context, request);
  if (flow.provider !== provider.name || browser === undefined) return undefined;
  if (!isSameSecret(flow.browser, digest(browser))) return undefined;
  return (await takeToken(services.database, token)) ? flow : undefined;
}
