import type { Services } from '../../../plan/feature.ts';
export declare const RECOVERY_CODES = 10;
/** Whether a typed text has the form of a recovery code. */
export declare const isRecoveryCode: (text: string) => boolean;
/** Replaces the recovery codes of an account. Returns the new ones, which nobody can read again. */
export declare function renewRecovery(services: Services, authId: number): Promise<string[]>;
/** Uses up a recovery code; of two requests with one code, one gets true. */
export declare function takeRecovery(services: Services, authId: number, code: string): Promise<boolean>;
/** How many codes of an account are left. */
export declare function countRecovery({ database }: Services, authId: number): Promise<number>;
export declare function dropRecovery({ database }: Services, authId: number): Promise<void>;
