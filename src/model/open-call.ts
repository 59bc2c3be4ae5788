/** Codes of the advice on calls that strangers reach; `doctor` names each of them. */
export const OPEN_CODES: ReadonlySet<string> = new Set(['REST_WRITE_OPEN', 'REST_ROWS_OPEN']);
