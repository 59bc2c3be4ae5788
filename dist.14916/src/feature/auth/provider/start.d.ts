import type { Refusal } from '../../../core/response.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import { type Pair } from '../page.ts';
/** Shows why a sign-in ended, and the way back. */
export declare function showRefused(context: Context, pair: Pair, provider: ProviderModel, refusal: Refusal & {
    readonly hint?: string;
}): Promise<void>;
/** What a person can do about a provider that does not answer; the log has the reason. */
export declare const toUnreachable: ({ label }: ProviderModel) => Refusal;
/** Goes to the provider. Changes nothing but the flow, so that a link can do it. */
export declare function start(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
/**
 * Begins to link the provider to the account of the session, after a proof of who it is. The page redirects: browsers would check
 * a redirect of the form's answer against `form-action`.
 */
export declare function startLink(context: Context, pair: Pair, provider: ProviderModel): Promise<void>;
