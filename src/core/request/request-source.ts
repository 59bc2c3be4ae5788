import type { FileReceiver } from './sent-file.ts';

export type Data = Record<string, unknown>;

/** The route that a request matched. */
export interface Route {
  /** Its event, such as `GET /article/:article_id`. */
  readonly event: string;
  /** What the named segments matched. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What `*` and `**` matched, from the left. */
  readonly variables: readonly string[];
  /** In capitals. */
  readonly method: string;
  /** The pattern, such as `/article/:article_id`. */
  readonly path: string;
}

/**
 * Source of a request's default data. A part given as a function is computed on first access, so that a
 * request which never reads cookies does not parse them.
 */
export interface RequestSource {
  /** Default `GET`. */
  readonly method?: string;
  /** Path without query, as in the request line. */
  readonly path?: string;
  /** Raw query string without `?`. */
  readonly query?: string;
  /** Words of a command line. */
  readonly args?: readonly string[];
  /** Values of the query. */
  readonly get?: () => Data;
  /** Values of the body. */
  readonly post?: () => Data;
  /** Uploaded files by the name of the control. */
  readonly files?: () => Data;
  /** Cookies by name. */
  readonly cookie?: () => Data;
  /** Content of the session. */
  readonly session?: () => Data;
  /** What `getServer` gives. */
  readonly server?: () => Data;
  /** The headers by their names in small letters, so that one is read without creating all of the server data. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether the client has disconnected. */
  readonly isGone?: () => boolean;
  /** Raw body text. */
  readonly body?: () => unknown;
  /** Reads the file of the body as it arrives; absent where the body was read before. */
  readonly receiveFile?: FileReceiver;
}
