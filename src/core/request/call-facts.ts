/** What the definition of a REST call says about its requests. */
export interface CallFacts {
  /** The body changes only the keys it contains; null clears a value. @see RFC 7396 */
  readonly isPatch: boolean;
  /** Stage values fixed by the definition; a batch adds them to each operation. */
  readonly fixed: Readonly<Record<string, unknown>> | undefined;
  /** Allowed parameters for grouping. */
  readonly aggregate: readonly string[];
  /** Whether the request may ask for removed rows. */
  readonly isRemovedOpen: boolean;
  /** The call acts for a user: the token's profile replaces any profile that was sent. */
  readonly isUser: boolean;
}
