import type { ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import { type Pair } from '../page.ts';
/** The address that the provider sends the user back to. */
export declare function openCallback(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
