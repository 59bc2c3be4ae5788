import { memoize } from '../core/memoize.ts';
import { findPreset } from './provider-preset.ts';
import type { Settings } from './shape.ts';

/** Endpoints of a provider without OpenID Connect. */
export interface ProviderEndpoints {
  readonly authorize: string;
  readonly token: string;
  readonly user: string;
  readonly emails: string | undefined;
}

/** A provider by which people sign in, from `auth.providers` and what is known by its name. */
export interface ProviderModel {
  readonly name: string;
  readonly label: string;
  readonly clientId: string;
  readonly scope: string;
  /** OpenID Connect; undefined if it has `endpoints`. */
  readonly issuer: string | undefined;
  readonly endpoints: ProviderEndpoints | undefined;
  readonly keys: NonNullable<Input['keys']>;
  readonly clientAuth: 'basic' | 'post' | undefined;
  /** Whether its e-mails count as verified although it does not say so. */
  readonly isEmailTrusted: boolean;
  readonly allowPrivate: readonly string[];
  /** `prompt` of a sign-in that asks the user again; undefined if the provider is not known to have one. */
  readonly prompt: string | undefined;
}

/** Name of the variable with the client secret. */
export const toSecretName = (provider: string): string => `AUTH_${provider.toUpperCase().replaceAll('-', '_')}_SECRET`;

type Input = Settings['auth']['providers'][string];

function toEndpoints({ authorizeUrl, tokenUrl, userUrl, emailsUrl }: Partial<Input>): ProviderEndpoints | undefined {
  if (authorizeUrl === undefined || tokenUrl === undefined || userUrl === undefined) return undefined;
  return { authorize: authorizeUrl, token: tokenUrl, user: userUrl, emails: emailsUrl };
}

/** The name as a word: `my-company` is `My company`. */
const toWord = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

function toProvider(name: string, input: Input): ProviderModel {
  const preset = findPreset(name);
  // The endpoints of the settings replace all endpoints of the preset: they belong together.
  const source = input.issuer !== undefined || input.authorizeUrl !== undefined ? input : { ...preset, ...input };
  const endpoints = source.issuer === undefined ? toEndpoints(source) : undefined;
  const usualScope = source.issuer === undefined ? (preset?.scope ?? '') : 'openid email profile';
  return {
    name,
    label: input.label ?? preset?.label ?? toWord(name),
    clientId: input.clientId,
    scope: input.scope ?? usualScope,
    issuer: source.issuer,
    endpoints,
    keys: input.keys ?? {},
    clientAuth: input.clientAuth ?? (endpoints === undefined ? undefined : 'post'),
    isEmailTrusted: input.trustEmail ?? false,
    allowPrivate: input.allowPrivate ?? [],
    prompt: preset?.prompt,
  };
}

/** The sign-in providers of the settings, by name. */
export const listProviders = memoize(
  ({ auth }: Settings): ReadonlyMap<string, ProviderModel> =>
    new Map(Object.entries(auth.providers).map(([name, input]) => [name, toProvider(name, input)])),
);
