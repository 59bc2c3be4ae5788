import type { Problem } from '../core/errors.ts';
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
export declare function findProviderGaps({ variables, baseUrl }: Environment, settings: Settings): ProviderGap[];
/**
 * The same as advice for `treadle check`, where it matters: secrets and the public address belong to the machine of
 * production.
 */
export declare function toProviderAdvice(environment: Environment, settings: Settings): Problem[];
/** Providers that cannot be read from here. Asks each for its discovery document. */
export declare function listProviderFaults(environment: Environment, settings: Settings): Promise<readonly {
    readonly message: string;
}[]>;
