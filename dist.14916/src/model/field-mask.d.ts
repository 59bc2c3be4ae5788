import type { Field } from './shape.ts';
/**
 * The mask as a regular expression without repetition, so it runs in linear time. A `\` escapes the next
 * character.
 */
export declare function toMaskPattern(field: Field): RegExp | undefined;
export declare function describeMask(field: Field): string | undefined;
