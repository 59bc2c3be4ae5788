import { type ProviderModel } from '../../../model/provider.ts';
import type { Context, Worker } from '../../../plan/feature.ts';
import type { FetchContext } from './fetch.ts';
/** Why a provider's discovery document cannot be read; undefined if it can, and for a provider that has none. */
export declare function findProviderFault(context: FetchContext, provider: ProviderModel): Promise<string | undefined>;
/** Reads each provider once at the start, and logs those that do not answer. */
export declare function probeProviders(context: Context): Worker;
