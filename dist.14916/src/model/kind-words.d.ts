import type { FileKind } from './shape.ts';
interface KindWords {
    readonly one: string;
    readonly many: string;
    /** Description in one sentence. */
    readonly what: string;
}
/** The words for each kind of definition: on the command line, in the reference and in JSON Schema. */
export declare const KIND_WORDS: Readonly<Record<FileKind, KindWords>>;
export {};
