import type { Row } from '../../../../database/database.ts';
import type { Services } from '../../../../plan/feature.ts';
export interface NewPasskey {
    readonly authId: number;
    /** Base64url, as the public key. */
    readonly credentialId: string;
    readonly publicKey: string;
    readonly counter: number;
    readonly transports: readonly string[];
    readonly name: string;
}
/** The passkeys of an account, oldest first. */
export declare function listPasskeys({ database }: Services, authId: number): Promise<Row[]>;
export declare function findPasskey({ database }: Services, credentialId: string): Promise<Row | undefined>;
/** False if the credential has a row, of whatever account. */
export declare function insertPasskey({ database, clock }: Services, passkey: NewPasskey): Promise<boolean>;
export declare function renamePasskey({ database }: Services, { authId, passkeyId, name }: {
    readonly authId: number;
    readonly passkeyId: number;
    readonly name: string;
}): Promise<boolean>;
/** Removes a passkey of an account. Returns its name; undefined if there is none. */
export declare function deletePasskey({ database }: Services, authId: number, passkeyId: number): Promise<string | undefined>;
/** Notes a use, unless another request noted the same counter or a higher one. Passkeys without a counter have 0. */
export declare function countUse({ database, clock }: Services, { passkeyId, counter }: {
    readonly passkeyId: number;
    readonly counter: number;
}): Promise<boolean>;
/** Uses up a challenge; of two requests with one challenge, one gets true. */
export declare function takeChallenge({ database, clock }: Services, challenge: string, until: number): Promise<boolean>;
