import type { ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import { type Pair } from '../page.ts';
export declare function openComplete(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
export declare function postComplete(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
export declare function openConnect(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
/**
 * Connects the provider to the account with the same e-mail: only if the account's e-mail is confirmed too and its user
 * logs in to it. The e-mail alone proves nothing: somebody else may have signed up with it before (pre-hijacking).
 */
export declare function postConnect(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
/** Removes a link, from the page of the account. */
export declare function postUnlink(context: Context, { request, response }: Pair): Promise<void>;
