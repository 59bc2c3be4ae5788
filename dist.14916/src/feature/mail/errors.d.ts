import type { Refusal } from '../../core/response.ts';
export declare const NO_WAY: Refusal;
