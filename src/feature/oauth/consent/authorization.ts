import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Context } from '../../../plan/feature.ts';
import { isScopeAllowed, listAllowedScopes, toSlugs } from '../client/allowed-scopes.ts';
import type { ClientApp } from '../client/app-row.ts';
import { isRegistered, type RedirectBuilder, toRedirects, toReturn } from '../client/redirect-uri.ts';
import { areOwnResources } from '../client/resource.ts';
import { findApp } from '../sql.ts';
import { toTrialUri } from './trial.ts';

export const AUTHORIZE = '/oauth/authorize';

/** A valid authorization request. */
export interface AuthorizationRequest {
  readonly app: ClientApp;
  /** Where to redirect, with the parameters of every response. */
  readonly to: RedirectBuilder;
  /** Whether the request named its redirect URI; optional if only one is registered. */
  readonly isRedirectNamed: boolean;
  /**
   * Whether the standard's rules apply, by path or `response_type`: such a code also gives refresh tokens.
   */
  readonly isStandard: boolean;
  /** Slugs of user scopes. */
  readonly scopes: readonly string[];
  /** Whether the code goes to the app's own page of the developer section, for its owner only. */
  readonly isTrial: boolean;
  /** PKCE challenge (S256). */
  readonly challenge: string | undefined;
}

/**
 * Result of checking a request to the dialog. `invalid`: show an error page, redirect nowhere. `refused`:
 * redirect to the app with an error, at a registered address.
 */
export type AuthorizationCheck =
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'refused'; readonly location: string }
  | { readonly kind: 'asked'; readonly asked: AuthorizationRequest };

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;
const REPEATABLE_NOT = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'] as const;

const invalid = (message: string): AuthorizationCheck => ({ kind: 'invalid', message: toLocalText(message) });

/** A parameter given once and not empty; an empty one counts as missing. @see RFC 6749 section 3.1 */
const readOne = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined;

/** The encoded value of a parameter as it was sent: an app gets its own bytes back. */
function readRaw(rawQuery: string, name: string): string | undefined {
  for (const pair of rawQuery.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || !new URLSearchParams(pair).has(name)) continue;
    return pair.slice(equals + 1) || undefined;
  }
  return undefined;
}

/** The app's own page of the developer section, which need not be registered. */
const isTrialUri = ({ services, plan }: Context, app: ClientApp, uri: string | undefined): boolean =>
  plan.model.settings.api === true && uri === toTrialUri(services.baseUrl(), app.appId);

/** Checks the raw query of a request to the dialog, at its classic or standard path. */
export async function judgeAuthorization(
  context: Context,
  path: string,
  rawQuery: string,
): Promise<AuthorizationCheck> {
  const query = new URLSearchParams(rawQuery);
  for (const name of ['client_id', 'redirect_uri']) {
    if (query.getAll(name).length > 1) return invalid(translate('The request names {name} twice.', { name }));
  }
  const clientId = readOne(query, 'client_id');
  if (clientId === undefined) return invalid('The request does not name the app that asks: client_id is missing.');
  const app = await findApp(context.services.database, 'client_id', clientId);
  if (!app) return invalid('No app is known by this client_id.');
  if (!app.isActive) return invalid('This app is suspended.');
  const registered = toRedirects(app, context.services.baseUrl());
  const named = readOne(query, 'redirect_uri');
  if (named === undefined && registered.length !== 1) {
    return invalid(
      'The app has several addresses to return to, and the request does not name one: redirect_uri is missing.',
    );
  }
  const redirectUri = named ?? registered[0];
  const isTrial = isTrialUri(context, app, redirectUri);
  if (redirectUri === undefined || (!isTrial && !isRegistered(registered, redirectUri))) {
    return invalid('The request asks to return to an address that the app has not registered.');
  }
  const isAtStandard = path === AUTHORIZE;
  const to = toReturn(redirectUri, {
    state: query.getAll('state').length > 1 ? undefined : readRaw(rawQuery, 'state'),
    issuer: isAtStandard ? context.services.baseUrl() : undefined,
  });
  const { mode } = context.plan.model.settings.oauth;
  const isStandard = isAtStandard || mode === 'strict' || query.has('response_type');
  return checkParameters(context, query, { app, to, isRedirectNamed: named !== undefined, isStandard, isTrial });
}

/** Checks the other parameters; the app gets these errors. */
function checkParameters(
  context: Context,
  query: URLSearchParams,
  known: Pick<AuthorizationRequest, 'app' | 'to' | 'isRedirectNamed' | 'isStandard' | 'isTrial'>,
): AuthorizationCheck {
  const { app, isStandard } = known;
  const refuse = (error: string, description: string): AuthorizationCheck => ({
    kind: 'refused',
    location: known.to({ error, error_description: description }),
  });
  for (const name of REPEATABLE_NOT) {
    if (query.getAll(name).length > 1) return refuse('invalid_request', `${name} is there twice`);
  }
  if (isStandard && !areOwnResources(context.services.baseUrl(), query.getAll('resource')))
    return refuse('invalid_target', 'this server issues no tokens for that resource');
  const type = readOne(query, 'response_type');
  if (type === undefined && isStandard) return refuse('invalid_request', 'response_type is missing');
  if (type !== undefined && type !== 'code') return refuse('unsupported_response_type', 'response_type must be code');
  const challenge = readOne(query, 'code_challenge');
  const method = readOne(query, 'code_challenge_method');
  if (challenge === undefined && (method !== undefined || needsChallenge(context, app, isStandard))) {
    return refuse('invalid_request', 'code_challenge is missing');
  }
  if (challenge !== undefined && (method !== 'S256' || !CHALLENGE.test(challenge))) {
    return refuse('invalid_request', 'code_challenge must be 43 to 128 characters, its method S256');
  }
  const scopes = findScopes(context, { app, isStandard }, readOne(query, 'scope'));
  if (!scopes) return refuse('invalid_scope', 'a scope is unknown, not held by the app, or works without a user');
  return { kind: 'asked', asked: { ...known, scopes, challenge } };
}

/**
 * Always for a public client; for a confidential one at the standard endpoint, unless its record exempts
 * it.
 */
function needsChallenge({ plan }: Context, app: ClientApp, isStandard: boolean): boolean {
  if (app.secretHash === undefined || plan.model.settings.oauth.mode === 'strict') return true;
  return isStandard && !app.isPkceOptional;
}

/**
 * The requested user scopes: separated by spaces (or commas, in the classic form); without any, all that
 * the app has. Undefined if one is unknown or not the app's, or if only app scopes were asked
 * for: they need no user, and are left out.
 */
function findScopes(
  { plan: { model } }: Context,
  { app, isStandard }: Pick<AuthorizationRequest, 'app' | 'isStandard'>,
  text: string | undefined,
): string[] | undefined {
  if (text === undefined) return listAllowedScopes(model, app, 'user');
  const requested = toSlugs(text, isStandard ? / +/ : /[ ,]+/);
  const slugs = app.isIgnoringScopes ? requested.filter((slug) => isScopeAllowed(model, app, slug)) : requested;
  if (!slugs.every((slug) => isScopeAllowed(model, app, slug))) return undefined;
  const own = slugs.filter((slug) => model.scopes.get(slug)?.definition.access === 'user');
  // A token without any of what was asked for is no answer to it.
  return own.length === 0 ? undefined : own;
}
