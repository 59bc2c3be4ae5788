/** Codes of the advice on calls that strangers can use; `doctor` lists each call. */
export declare const OPEN_CODES: ReadonlySet<string>;
