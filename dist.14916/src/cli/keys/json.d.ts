/** Whether a flag's text is JSON: an object, or a list. */
export declare const isJsonText: (text: string) => boolean;
/** JSON in a flag's text. @throws CLI_USAGE */
export declare function parseFlagJson(text: string): unknown;
