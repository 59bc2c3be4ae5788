/**
 * Parses a JSON body: at most {@link MAX_JSON_DEPTH} levels, {@link MAX_KEYS} keys and {@link MAX_JSON_VALUES} keys
 * and items, whole numbers within 2^53, no prototype names.
 *
 * @throws REQUEST_JSON_BROKEN (400). @throws REQUEST_JSON_LARGE (413). @throws REQUEST_NAME_REFUSED (400).
 */
export declare function parseJson(text: string): unknown;
