export type Data = Record<string, unknown>;

/** What a route matched: its event, its named parameters and its positional variables. */
export interface Route {
  readonly event: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  readonly method: string;
  readonly path: string;
}

/**
 * Where a request's default data comes from. A part given as a function is computed when it is first looked at,
 * so a request that never looks at its cookies does not pay for them.
 */
export interface RequestSource {
  readonly method?: string;
  /** Path without query, as it stands in the request line. */
  readonly path?: string;
  /** Raw query string without `?`. */
  readonly query?: string;
  readonly args?: readonly string[];
  readonly get?: () => Data;
  readonly post?: () => Data;
  readonly files?: () => Data;
  readonly cookie?: () => Data;
  readonly session?: () => Data;
  readonly server?: () => Data;
  /** A header by its name in lower case, without making all of the server data. */
  readonly header?: (name: string) => string | undefined;
  /** Raw body text. */
  readonly body?: () => unknown;
}
