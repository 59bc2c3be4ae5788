import { type OptionSpec, type Values } from '../spec.ts';
/** A key of a definition, and the flag that sets it. */
export interface KeySpec {
    /** As the definition has it: `redirectUris`. */
    readonly key: string;
    /** Long option without dashes: `redirect-uri`. */
    readonly flag: string;
    /** Name of the flag's value in the help; a switch has none. */
    readonly value?: string;
    /** What the key's shape says of it. */
    readonly description: string;
    /** What holds when it is created on the command line: a sentence after the description. */
    readonly note?: string;
    /** An entry of a map, for who wrote none. Default `schema=article`. */
    readonly sample?: string;
    /** `one` value, a `switch`, a `list` whose flag is repeated, or a `map` of repeated `key=value`. */
    readonly form: 'one' | 'switch' | 'list' | 'map';
    /** Asked for when it is created. */
    readonly isRequired?: boolean;
    /** May not be taken away again. */
    readonly isKept?: boolean;
    readonly choices?: readonly string[];
    /** What it is when it is created without the flag; for a switch, what it is without the key. */
    readonly default?: string;
    readonly otherwise?: boolean;
    /** What `--no-…` of a switch does. */
    readonly off?: string;
    /** Whether `--no-…` of a switch writes `false`, which says another thing than no key. */
    readonly isOffWritten?: boolean;
    /** Entries by comma, too. */
    readonly isSplit?: boolean;
    /** The flag's text as the definition has it. @throws CLI_USAGE */
    readonly parse?: (text: string) => unknown;
    /** What an entry of a list is taken out by; itself where left out. */
    readonly identify?: (entry: unknown) => string;
    /** What the entry is called in the help: `--remove-option <key>`. */
    readonly identity?: string;
    readonly check?: (text: string) => string | undefined;
}
/** What is wrong with a typed value, so that a prompt asks again at once. */
export declare function findKeyFault({ parse, check }: KeySpec, text: string): string | undefined;
/** The flags that a definition is created with. */
export declare function toCreateOptions(keys: readonly KeySpec[]): OptionSpec[];
/**
 * The flags that a definition is changed with: those that it is created with, which replace what is there; `--add-…` and
 * `--remove-…` for lists and maps; `--no-…` for switches; `--unset` for what can be left out.
 */
export declare function toUpdateOptions(keys: readonly KeySpec[]): OptionSpec[];
/** Whether a flag of these says anything. */
export declare const isAnyGiven: (keys: readonly KeySpec[], values: Values) => boolean;
/**
 * A definition as the flags change it.
 *
 * @throws CLI_USAGE where a flag takes out what is not there, or its text cannot be read.
 */
export declare function changeKeys<T extends object>(value: T, keys: readonly KeySpec[], values: Values): T;
