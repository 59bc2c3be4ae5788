import type { ProviderModel } from '../../../model/provider.ts';
import type { Plan, Services } from '../../../plan/feature.ts';
interface FetchOptions {
    readonly method?: string;
    readonly headers?: HeadersInit;
    readonly body?: unknown;
}
/** What a request to a provider needs; a command has no more. */
export interface FetchContext {
    readonly plan: {
        readonly model: Pick<Plan['model'], 'settings'>;
        readonly isDevelopment: boolean;
    };
    readonly services: Pick<Services, 'outbound' | 'clock'>;
}
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<Response>;
/** A `fetch` through the address guard, with a time limit; follows no redirects. */
export declare function createGuardedFetch(context: FetchContext, provider: ProviderModel): GuardedFetch;
export {};
