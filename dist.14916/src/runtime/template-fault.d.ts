/** An error in a template, with its place. */
export interface TemplateFault {
    readonly message: string;
    readonly line?: number;
    readonly column?: number;
}
/** Reads place and reason from an error of Handlebars. */
export declare function toFault(error: unknown): TemplateFault;
/** The names that a template refers to, for compiling and checking. */
export interface References {
    /** Partials that it uses. */
    readonly partials: readonly string[];
    /** Partials that it defines with `{{#*inline "x"}}`. */
    readonly inline: readonly string[];
    /** Helpers that it calls with parameters, with their places. */
    readonly helpers: readonly {
        readonly name: string;
        readonly line: number;
        readonly column: number;
    }[];
}
/** Walks a template's syntax tree. Dynamic partials are resolved when rendering. */
export declare function findReferences(program: unknown): References;
