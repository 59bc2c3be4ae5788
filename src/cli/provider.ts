import { systemClock } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import { Memory } from '../core/memory.ts';
import { listProviders, toSecretName } from '../model/provider.ts';
import type { Settings } from '../model/shape.ts';
import type { Environment } from '../project/environment.ts';

/** What keeps sign-in providers from working, each with the key of the settings that it is about. */
export interface ProviderGap {
  readonly code: 'PROVIDER_SECRET_MISSING' | 'PROVIDER_URL_MISSING';
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** Missing secrets and a missing public address. Settings and environment only: asks nobody. */
export function findProviderGaps({ variables, baseUrl }: Environment, settings: Settings): ProviderGap[] {
  const providers = [...listProviders(settings).values()];
  const secrets = providers
    .filter(({ name }) => variables[toSecretName(name)] === undefined)
    .map(({ name, label }): ProviderGap => {
      const variable = toSecretName(name);
      return {
        code: 'PROVIDER_SECRET_MISSING',
        path: `auth.providers.${name}`,
        message: `${variable} is not set: nobody can sign in by ${label}.`,
        hint: `Set ${variable} to the client secret that ${label} gave to this site.`,
      };
    });
  const isAddressed = (baseUrl ?? settings.server.baseUrl) !== null;
  if (providers.length === 0 || isAddressed) return secrets;
  return [
    ...secrets,
    {
      code: 'PROVIDER_URL_MISSING',
      path: 'server.baseUrl',
      message:
        'server.baseUrl is not set: sign-in providers send people back to the address that the server listens on.',
      hint: `Set it, and register <server.baseUrl>/auth/provider/${providers[0]?.name}/callback at the provider.`,
    },
  ];
}

/**
 * The same as advice for `treadle check`, where it matters: secrets and the public address belong to the machine of
 * production.
 */
export function toProviderAdvice(environment: Environment, settings: Settings): Problem[] {
  if (environment.mode !== 'production') return [];
  return findProviderGaps(environment, settings).map(
    (gap): Problem => ({ ...gap, file: 'config/settings.json', severity: 'advice' }),
  );
}

/** Providers that cannot be read from here. Asks each for its discovery document. */
export async function listProviderErrors(
  environment: Environment,
  settings: Settings,
): Promise<readonly { readonly message: string }[]> {
  const providers = [...listProviders(settings).values()].filter(({ issuer }) => issuer !== undefined);
  if (providers.length === 0) return [];
  const [{ findProviderFault }, { createOutbound }] = await Promise.all([
    import('../boot.ts'),
    import('../outbound/http.ts'),
  ]);
  const services = { clock: systemClock, outbound: createOutbound({ clock: systemClock }), memory: new Memory() };
  const plan = { model: { settings }, isDevelopment: environment.mode !== 'production' };
  const checks = providers.map(async (provider) => {
    const error = await findProviderFault({ plan, services }, provider);
    return error === undefined ? [] : [{ message: `${provider.label} (${provider.issuer}) cannot be read: ${error}` }];
  });
  return (await Promise.all(checks)).flat();
}
