import type { ProviderModel } from '../../../model/provider.ts';
import type { AddressPolicy } from '../../../outbound/outbound.ts';
import type { Plan, Services } from '../../../plan/feature.ts';

const TIMEOUT_SECONDS = 10;
/** Bytes of an answer: discovery documents and key sets have some kilobytes. */
const MAX_BYTES = 262_144;
/** Statuses that a `Response` refuses to have a body with. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

interface FetchOptions {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
}

/** What a request to a provider needs; a command has no more. */
export interface FetchContext {
  readonly plan: { readonly model: Pick<Plan['model'], 'settings'>; readonly isDevelopment: boolean };
  readonly services: Pick<Services, 'outbound' | 'clock' | 'memory'>;
}

export type GuardedFetch = (url: string, options: FetchOptions) => Promise<Response>;

/** Addresses that the endpoints of a provider may have besides public ones. */
const toPolicy = ({ plan }: FetchContext, provider: ProviderModel): AddressPolicy => ({
  allowPrivate: [...plan.model.settings.webhook.allowPrivate, ...provider.allowPrivate],
  isLoopbackAllowed: plan.isDevelopment,
});

/** A `fetch` through the address guard, with a time limit; follows no redirects. */
export function createGuardedFetch(context: FetchContext, provider: ProviderModel): GuardedFetch {
  const policy = toPolicy(context, provider);
  return async (url, { method = 'GET', headers, body }) => {
    const answer = await context.services.outbound.send(
      {
        method,
        url,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        timeoutSeconds: TIMEOUT_SECONDS,
        maxBytes: MAX_BYTES,
      },
      policy,
    );
    const { status } = answer;
    return new Response(WITHOUT_BODY.has(status) ? null : answer.body, { status, headers: answer.headers });
  };
}
