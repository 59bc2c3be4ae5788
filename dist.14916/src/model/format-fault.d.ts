import type { Format } from './shape.ts';
/** The fault of a format's parameters, worded after `The format`; undefined if valid. */
export declare function findFormatFault({ format, parameters }: Format): string | undefined;
