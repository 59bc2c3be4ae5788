import type { Messages, Refusal } from '../../core/response.ts';
import type { ConstraintDetail } from './sql.ts';
/** A validation failure. Its message is the single fault, or names the invalid columns. */
export declare function toInvalid(validation: Readonly<Messages>, status?: number): Refusal;
/** The message for an id of a row that does not exist, or that the caller may not see. */
export declare const toMissingMessage: (label: string, id: unknown) => string;
export declare const notFound: Refusal;
export declare const notOwned: (plural: string) => Refusal;
export declare const outOfReach: (singular: string) => Refusal;
/** The constraint that a write violated; undefined for any other error. */
export declare function findConstraint(error: unknown): ConstraintDetail | undefined;
