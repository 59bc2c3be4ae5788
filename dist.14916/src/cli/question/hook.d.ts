import { type Invocation } from '../spec.ts';
/** Asks for the event first, because name, title and type follow from it. */
export declare function askHook(invocation: Invocation): Promise<void>;
