import type { Database } from '../../../database/database.ts';
export interface Holder {
    readonly authId: number;
    /** Whether the e-mail is verified. */
    readonly isVerified: boolean;
}
/** The account of an e-mail. */
export declare function findHolder({ kysely }: Database, email: string): Promise<Holder | undefined>;
export declare function isVerified({ kysely }: Database, authId: number): Promise<boolean>;
/** Gives apps of definition files to an account. */
export declare function setOwner({ kysely }: Database, clientIds: readonly string[], authId: number): Promise<void>;
