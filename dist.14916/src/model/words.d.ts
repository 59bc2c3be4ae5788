import type { SchemaModel } from './model.ts';
/** Increased when the words of a text change, so that existing indexes are rebuilt. */
export declare const WORDS_VERSION = 1;
/** Longer words are cut to this length, in rows and in searches. */
export declare const WORD_LENGTH = 64;
/**
 * The distinct words of a text: letters and digits, without case and accents. In scripts without spaces each
 * pair of characters is a word; a pictograph is one too. A searched word matches if a row's word starts with
 * it.
 */
export declare function toWords(text: string): string[];
/** A column in the search index. */
export interface WordColumn {
    readonly name: string;
    /** True for HTML or Markdown: its tags are not words. */
    readonly isMarkup: boolean;
}
/** A schema's searchable columns of text. */
export declare function listWordColumns({ columns }: Pick<SchemaModel, 'columns'>): WordColumn[];
/** The distinct words of a row; for a very long text the first 20,000, or 300,000 characters of them. */
export declare function toRowWords(columns: readonly WordColumn[], row: Readonly<Record<string, unknown>>): string[];
