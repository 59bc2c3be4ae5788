interface TextOptions {
    readonly default?: string;
    readonly isOptional?: boolean;
    /** The fault of an answer, which is then asked for again; undefined for a valid answer. */
    readonly check?: (text: string) => string | undefined;
}
/** A choice of a question. */
export interface Choice {
    readonly value: string;
    /** Text to show; default: the value. */
    readonly name?: string;
    /** Shown below the list while the choice is highlighted. */
    readonly description?: string;
    /** Heading of the choice. */
    readonly group?: string;
    /** Selected initially, for questions with several answers. */
    readonly isChosen?: boolean;
}
/** Asks questions at a terminal; every question also has a flag. */
export interface Prompt {
    text(message: string, options?: TextOptions): Promise<string>;
    password(message: string): Promise<string>;
    choice(message: string, choices: readonly (string | Choice)[], preset?: string): Promise<string>;
    /** A choice from many: typing filters the list. */
    search(message: string, choices: readonly Choice[], preset?: string): Promise<string>;
    several(message: string, choices: readonly (string | Choice)[]): Promise<string[]>;
    confirm(message: string, preset: boolean): Promise<boolean>;
}
/** Choices that match the typed word: first in the name, then in the description. */
export declare function findChoices(choices: readonly Choice[], typed: string | undefined): Choice[];
/** Prompts with inquirer, loaded at the first question. They are written to `output`, so that results stay clean. */
export declare function createPrompt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Prompt;
export {};
