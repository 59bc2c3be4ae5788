import type { Choice } from './prompt.ts';
import { type Invocation, type Nameable } from './spec.ts';
/** The allowed names of an argument, with descriptions. */
export declare function listNames(of: Nameable, invocation: Invocation): Promise<Choice[]>;
