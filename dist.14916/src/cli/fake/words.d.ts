import type { Chance } from './random.ts';
/** Two words for a thing. */
export declare const toThing: (chance: Chance) => string;
export declare const toWord: (chance: Chance) => string;
export declare const toFirstName: (chance: Chance) => string;
export declare const toLastName: (chance: Chance) => string;
export declare const toPlace: (chance: Chance) => string;
export declare function toSentence(chance: Chance): string;
export declare const toParagraph: (chance: Chance) => string;
export declare const toTitle: (chance: Chance) => string;
/** This number of words, with a capital letter first. */
export declare const makeWords: (chance: Chance, count: number) => string;
/** ASCII letters of a name, for e-mail addresses. */
export declare const toAscii: (text: string) => string;
