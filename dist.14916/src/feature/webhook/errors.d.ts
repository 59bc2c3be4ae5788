import type { Refusal } from '../../core/response.ts';
export declare const isRefusal: (value: object) => value is Refusal;
/** A refusal with its message at one stage key. */
export declare const createRefusal: (field: string, message: string, status?: number) => Refusal;
export declare const NO_DELIVERY: Refusal;
export declare const NO_RECEIVER: Refusal;
