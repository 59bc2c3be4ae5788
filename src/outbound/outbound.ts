/**
 * An outbound HTTP request. Every request that leaves the process passes the address guard; there is no
 * other way out.
 */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Seconds until the answer must be complete. Default 15. */
  readonly timeoutSeconds?: number;
  /** Bytes of the response body to read before the connection is closed. Default 20,480. */
  readonly maxBytes?: number;
  /**
   * Whether the request may reuse an idle connection. If that was closed, it may arrive twice. Default
   * false.
   */
  readonly isRepeatable?: boolean;
  /** Cancels the call; it then fails with `detail` `abort`. */
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, as much as was read. */
  readonly body: string;
  readonly milliseconds: number;
}

/** Private addresses that may be called. */
export interface AddressPolicy {
  /** CIDR blocks, any port in them. */
  readonly allowPrivate: readonly string[];
  /** In `dev`: loopback may be called. */
  readonly isLoopbackAllowed: boolean;
}

export interface Outbound {
  /**
   * Sends the request and reads the response; does not follow redirects.
   * @throws OUTBOUND_URL_INVALID for a URL that is not http(s), has credentials or a fragment.
   * @throws OUTBOUND_ADDRESS_REFUSED for an address that is private, reserved or local.
   * @throws OUTBOUND_FAILED (with `detail` naming why: `timeout`, `resolve`, `connect`, `tls`, `reset`,
   *   `abort`).
   */
  send(request: OutboundRequest, policy: AddressPolicy): Promise<OutboundResponse>;
  /** Why a URL may not be called; undefined if it may. Does not resolve names. For forms and `check`. */
  judge(url: string, policy: AddressPolicy): string | undefined;
}
