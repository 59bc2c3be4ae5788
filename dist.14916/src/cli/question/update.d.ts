import { type KeySpec } from '../keys/key.ts';
import type { Prompt } from '../prompt.ts';
import type { Values } from '../spec.ts';
/** @throws CLI_USAGE if an update changes nothing. */
export declare function needAny(keys: readonly KeySpec[], values: Values): void;
export interface UpdateQuestion {
    readonly keys: readonly KeySpec[];
    readonly value: object;
    readonly values: Values;
    readonly prompt: Prompt;
}
/** Asks what to change, and to which value, unless a flag is given. */
export declare function askUpdate({ keys, value, values, prompt }: UpdateQuestion): Promise<void>;
