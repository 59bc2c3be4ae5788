import * as z from 'zod';
import { deriveWebhookSecret, toSecretVersion } from '../../../core/secret/webhook-secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import { listValues } from '../../../model/json/json-value.ts';
import { isHttpUrl } from '../../../model/shape/text.ts';
import { tick } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { EMPTY } from '../errors.ts';
import { findPending } from './allowed-scopes.ts';
import { appIds, type ClientApp } from './app-row.ts';
import { findRedirectUriError } from './redirect-uri.ts';
import { findPendingHooks } from './subscribed-hooks.ts';

/** A text without blanks around it; empty where it is missing. */
const trimmed = (description: string) => z.string().trim().default('').catch('').describe(description);

/** A list in any form: several values, one value, or a text with one per line. */
function readList(value: unknown): string[] {
  const items = typeof value === 'string' ? [value] : listValues(value);
  const texts = items.flatMap((item) => (typeof item === 'string' ? item.split(/[\r\n]+/) : []));
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

const list = (description: string) =>
  z
    .custom<string | readonly string[]>()
    .meta({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
    .optional()
    .transform(readList)
    .describe(description);

/** Stage keys with the data of an app, from a form or a program. */
export const registrationStage = () => ({
  title: trimmed('Title that users see in the consent dialog.'),
  website: trimmed("The app's website."),
  redirect_uris: list('Redirect URIs: a list, or one per line.'),
  scopes: list('Slugs of the scopes that the app may request or holds.'),
  webhook: trimmed('URL that receives its web hooks.'),
  hooks: list('Names of the web hooks that it receives.'),
  pkce_optional: tick('`1` makes PKCE optional for a confidential app.'),
});

/** Data of an app. `public`: it is an app in a browser or on a phone. Only others may omit PKCE. */
export type Registration = z.output<z.ZodObject<ReturnType<typeof registrationStage>>> & { readonly public: boolean };

/** Seconds that the previous secret remains valid. */
export const OVERLAP_SECONDS = 86_400;

const MOST_REDIRECTS = 20;

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
  const odd = registration.redirect_uris.flatMap((uri) => {
    const error = findRedirectUriError(uri);
    return error === undefined ? [] : [`${uri} ${error}`];
  });
  if (registration.redirect_uris.length > MOST_REDIRECTS) errors.redirect_uris = `Should be at most ${MOST_REDIRECTS}`;
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
function findWarning(context: Context, webhook: string | undefined): string | undefined {
  if (webhook === undefined) return undefined;
  const { services, plan } = context;
  const { allowPrivate } = plan.model.settings.webhook;
  const reason = services.outbound.judge(webhook, { allowPrivate, isLoopbackAllowed: plan.isDevelopment });
  return reason === undefined ? undefined : `The web hook's address would not be called: ${reason}`;
}

export const toColumns = (registration: Registration): Row => ({
  title: registration.title,
  website: registration.website === '' ? null : registration.website,
  redirect_uris: JSON.stringify(registration.redirect_uris),
  scopes: JSON.stringify(registration.scopes),
  webhook: registration.webhook === '' ? null : registration.webhook,
  hooks: JSON.stringify(registration.hooks),
  pkce: registration.pkce_optional && !registration.public ? 'optional' : null,
});

/** The signing secrets of an app's web hooks: derived, so that no table stores them. */
function deriveHookSecrets(
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

/** Results of an event that registers or changes an app. */
export const registrationResults = () => ({
  ...appIds(),
  pending: z.array(z.string()),
  pending_hooks: z.array(z.string()),
  webhook_secrets: z.array(z.object({ hook: z.string(), secret: z.string() })),
  warning: z.string().optional(),
});

/** What a registered app waits for, its signing secrets, and a warning. */
export const describeRegistration = (context: Context, app: ClientApp) => ({
  pending: findPending(context, app),
  pending_hooks: findPendingHooks(context, app),
  webhook_secrets: deriveHookSecrets(context, app),
  warning: findWarning(context, app.webhook),
});
