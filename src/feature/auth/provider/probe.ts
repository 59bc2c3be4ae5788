import { listProviders, type ProviderModel } from '../../../model/provider.ts';
import type { Context, Worker } from '../../../plan/feature.ts';
import type { FetchContext } from './fetch.ts';
import { findServer } from './server.ts';

/** Why a provider's discovery document cannot be read; undefined if it can, and for a provider that has none. */
export async function findProviderError(context: FetchContext, provider: ProviderModel): Promise<string | undefined> {
  try {
    await findServer(context, provider);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Reads each provider once at the start, and logs those that do not answer. */
export function probeProviders(context: Context): Worker {
  const { log, providerSecret } = context.services;
  for (const provider of listProviders(context.plan.model.settings).values()) {
    if (providerSecret(provider.name) === undefined) continue;
    void findProviderError(context, provider).then((reason) => {
      if (reason !== undefined) log.warn('provider.unreachable', { provider: provider.name, reason });
    });
  }
  return { async stop() {}, wake() {} };
}
