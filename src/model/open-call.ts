/** Codes of the advice on calls that strangers can use; `doctor` lists each call. */
export const OPEN_CODES: ReadonlySet<string> = new Set(['REST_WRITE_OPEN', 'REST_ROWS_OPEN']);
