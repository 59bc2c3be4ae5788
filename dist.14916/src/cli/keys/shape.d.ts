import * as z from 'zod';
import type { KeySpec } from './key.ts';
/** What a flag has that its key's shape does not say; `isRequired: false` where the command can fill the key in. */
export type FlagSpec = Partial<Omit<KeySpec, 'key'>>;
/** The flags of a shape's keys, but for `others`, and for objects that no flag is given for here. */
export declare function toKeys({ shape }: z.ZodObject, others: ReadonlySet<string>, flags: Readonly<Record<string, FlagSpec>>): readonly KeySpec[];
