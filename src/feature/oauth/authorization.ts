import type { Context } from '../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
import { addParameters, isRegistered, toRedirects } from './redirect-uri.ts';
import { findApp } from './sql.ts';

/** What an app asks for, once everything about the request holds. */
export interface Asked {
  readonly app: ClientApp;
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** Slugs of user scopes. */
  readonly scopes: readonly string[];
  /** PKCE challenge (S256). */
  readonly challenge: string | undefined;
}

/**
 * A request to the dialog, judged. `invalid`: nobody may be sent anywhere, a page says why. `refused`: the app hears
 * of it, at an address that is known to be its own.
 */
export type Judged =
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'refused'; readonly location: string }
  | { readonly kind: 'asked'; readonly asked: Asked };

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;
const REPEATABLE_NOT = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'] as const;

const invalid = (message: string): Judged => ({ kind: 'invalid', message });

/** A parameter given once and not empty; an empty one counts as absent. @see RFC 6749 section 3.1 */
const readOne = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined;

/** Judges the raw query of a request to the dialog. */
export async function judgeAuthorization(context: Context, rawQuery: string): Promise<Judged> {
  const query = new URLSearchParams(rawQuery);
  for (const name of ['client_id', 'redirect_uri']) {
    if (query.getAll(name).length > 1) return invalid(`The request names ${name} twice.`);
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
  if (redirectUri === undefined || !isRegistered(registered, redirectUri)) {
    return invalid('The request asks to return to an address that the app has not registered.');
  }
  return judgeWishes(context, query, { app, redirectUri });
}

/** The rest: whatever is wrong here is told to the app. */
function judgeWishes(
  context: Context,
  query: URLSearchParams,
  { app, redirectUri }: Pick<Asked, 'app' | 'redirectUri'>,
): Judged {
  const state = query.getAll('state').length > 1 ? undefined : readOne(query, 'state');
  const refuse = (error: string, description: string): Judged => ({
    kind: 'refused',
    location: addParameters(redirectUri, { error, error_description: description, state }),
  });
  for (const name of REPEATABLE_NOT) {
    if (query.getAll(name).length > 1) return refuse('invalid_request', `${name} is there twice`);
  }
  const type = readOne(query, 'response_type');
  if (type !== undefined && type !== 'code') return refuse('unsupported_response_type', 'response_type must be code');
  const challenge = readOne(query, 'code_challenge');
  const method = readOne(query, 'code_challenge_method');
  if (challenge === undefined && (app.secretHash === undefined || method !== undefined)) {
    return refuse('invalid_request', 'code_challenge is missing');
  }
  if (challenge !== undefined && (method !== 'S256' || !CHALLENGE.test(challenge))) {
    return refuse('invalid_request', 'code_challenge must be 43 to 128 characters, its method S256');
  }
  const scopes = findScopes(context, app, readOne(query, 'scope'));
  if (!scopes) return refuse('invalid_scope', 'a scope is unknown or not held by the app');
  return { kind: 'asked', asked: { app, redirectUri, state, scopes, challenge } };
}

/**
 * The user scopes that are asked for: separated by blanks or commas, or without any word all that the app holds.
 * Undefined where one is unknown or not the app's. Scopes of the app itself need no user and are left out.
 */
function findScopes(context: Context, app: ClientApp, text: string | undefined): string[] | undefined {
  const { scopes } = context.plan.model;
  const isUser = (slug: string): boolean => scopes.get(slug)?.definition.access === 'user';
  if (text === undefined) return app.scopes.filter(isUser);
  const slugs = [...new Set(text.split(/[ ,]+/).filter((slug) => slug !== ''))];
  if (!slugs.every((slug) => scopes.has(slug) && app.scopes.includes(slug))) return undefined;
  return slugs.filter(isUser);
}
