import type { Request } from '../../../core/request/request.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../../core/secret/webhook-secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import { isHttpUrl } from '../../../model/shape/text.ts';
import type { Context } from '../../../plan/feature.ts';
import { EMPTY } from '../errors.ts';
import type { ClientApp } from './app-row.ts';
import { findRedirectUriError } from './redirect-uri.ts';

/** Data of an app from a form or a program. */
export interface Registration {
  readonly title: string;
  readonly website: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly webhook: string;
  readonly hooks: readonly string[];
  /** Whether it is a public client: an app in a browser or on a phone. */
  readonly isPublic: boolean;
  /** Whether it may omit PKCE; only for a confidential client. */
  readonly isPkceOptional: boolean;
}

/** Seconds that the previous secret remains valid. */
export const OVERLAP_SECONDS = 86_400;

const MOST_REDIRECTS = 20;

/** A list in any form: several values, one value, or a text with one per line. */
function readList(value: unknown): string[] {
  const items: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  const texts = items.flatMap((item) => (typeof item === 'string' ? item.split(/[\r\n]+/) : []));
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

const readText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const isTicked = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'on';

export function parseRegistration(request: Request): Registration {
  const stage = request.getStage() as Row;
  return {
    title: readText(stage.title),
    website: readText(stage.website),
    redirectUris: readList(stage.redirect_uris),
    scopes: readList(stage.scopes),
    webhook: readText(stage.webhook),
    hooks: readList(stage.hooks),
    isPublic: isTicked(stage.public),
    isPkceOptional: isTicked(stage.pkce_optional),
  };
}

/** Control characters, line breaks, and what turns the direction of a text: the dialog would read other than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNREADABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Messages by field. */
export function findRegistrationErrors(context: Context, registration: Registration): Record<string, string> {
  const { model, hooks } = context.plan;
  const errors: Record<string, string> = {};
  if (registration.title === '') errors.title = EMPTY;
  else if (registration.title.length > 100) errors.title = 'Should have at most 100 characters';
  else if (UNREADABLE.test(registration.title))
    errors.title = 'Should have no control characters, and none that turn the text';
  if (registration.website !== '' && !isHttpUrl(registration.website))
    errors.website = 'Should be an http or https address';
  const odd = registration.redirectUris.flatMap((uri) => {
    const error = findRedirectUriError(uri);
    return error === undefined ? [] : [`${uri} ${error}`];
  });
  if (registration.redirectUris.length > MOST_REDIRECTS) errors.redirect_uris = `Should be at most ${MOST_REDIRECTS}`;
  else if (odd.length > 0) errors.redirect_uris = odd.join('. ');
  if (!registration.scopes.every((slug) => model.scopes.has(slug))) errors.scopes = 'Should be scopes of this site';
  const names = new Set(hooks.map(({ name }) => name));
  if (!registration.hooks.every((name) => names.has(name))) errors.hooks = 'Should be web hooks of this site';
  if (registration.webhook !== '' && !isHttpUrl(registration.webhook))
    errors.webhook = 'Should be an http or https address';
  else if (registration.webhook === '' && registration.hooks.length > 0)
    errors.webhook = 'Needed by the web hooks that are ticked';
  return errors;
}

/** Warns of a web hook address that the guard would refuse now; it is saved anyway. */
export function findWarning(context: Context, webhook: string): string | undefined {
  if (webhook === '') return undefined;
  const { services, plan } = context;
  const { allowPrivate } = plan.model.settings.webhook;
  const reason = services.outbound.judge(webhook, { allowPrivate, isLoopbackAllowed: plan.isDevelopment });
  return reason === undefined ? undefined : `The web hook's address would not be called: ${reason}`;
}

export const toColumns = (registration: Registration): Row => ({
  title: registration.title,
  website: registration.website === '' ? null : registration.website,
  redirect_uris: JSON.stringify(registration.redirectUris),
  scopes: JSON.stringify(registration.scopes),
  webhook: registration.webhook === '' ? null : registration.webhook,
  hooks: JSON.stringify(registration.hooks),
  pkce: registration.isPkceOptional && !registration.isPublic ? 'optional' : null,
});

/** The signing secrets of an app's web hooks: derived, so that no table stores them. */
export function deriveHookSecrets(
  { services, plan }: Context,
  app: Pick<ClientApp, 'clientId' | 'webhook' | 'hooks'> & Partial<Pick<ClientApp, 'secretVersion'>>,
): { hook: string; secret: string }[] {
  if (app.webhook === undefined) return [];
  return app.hooks.map((name) => {
    const hook = plan.hooks.find((candidate) => candidate.name === name);
    const { secretName = name, secretVersion = 1 } = hook?.definition ?? {};
    const version = toSecretVersion(secretVersion, app.secretVersion);
    return { hook: name, secret: deriveWebhookSecret(services.secret, secretName, app.clientId, version) };
  });
}
