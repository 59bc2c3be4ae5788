import type { CommandSpec } from './spec.ts';
/** A command's words and its module. Only the typed command is loaded, so that `--help` loads none. */
export interface CatalogEntry {
    /** One word, or noun and verb. */
    readonly words: readonly [string] | readonly [string, string];
    readonly summary: string;
    readonly load: () => Promise<CommandSpec>;
}
/** Kinds of definition as command nouns. The nouns are also folders of `config/`. */
export declare const NOUNS: readonly ["schema", "fieldset", "rest", "scope", "webhook", "app", "role"];
/** Summaries of the nouns that only group commands. */
export declare const GROUPS: Readonly<Record<string, string>>;
export declare const CATALOG: readonly CatalogEntry[];
