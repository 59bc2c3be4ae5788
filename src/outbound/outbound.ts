/** An outbound HTTP request. Every one that leaves the process passes the address guard; there is no other way out. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Seconds until the answer must be complete. Default 15. */
  readonly timeoutSeconds?: number;
  /** Bytes of the answer's body that are read before the connection is closed. Default 20,480. */
  readonly maxBytes?: number;
  /** Whether it may go out on a kept connection, and so, where that was closed, arrive twice. Default false. */
  readonly isRepeatable?: boolean;
  /** Gives the call up; it then fails with `detail` `abort`. */
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As much as was read, as text. */
  readonly body: string;
  readonly milliseconds: number;
}

/** Addresses that may be called although they are private. */
export interface AddressPolicy {
  /** CIDR blocks, any port in them. */
  readonly allowPrivate: readonly string[];
  /** In `dev`: loopback may be called. */
  readonly isLoopbackAllowed: boolean;
}

export interface Outbound {
  /**
   * Sends and reads the answer; redirects are not followed.
   *
   * @throws OUTBOUND_URL_INVALID for a URL that is not http(s), has credentials or a fragment.
   * @throws OUTBOUND_ADDRESS_REFUSED for an address that is private, reserved or local.
   * @throws OUTBOUND_FAILED (with `detail` naming why: `timeout`, `resolve`, `connect`, `tls`, `reset`, `abort`).
   */
  send(request: OutboundRequest, policy: AddressPolicy): Promise<OutboundResponse>;
  /** Whether a URL may be called as it stands (no name is resolved): the reason where it may not. For forms and `check`. */
  judge(url: string, policy: AddressPolicy): string | undefined;
}
