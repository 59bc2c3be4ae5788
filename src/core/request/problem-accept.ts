/** Whether a client says that it reads problem details. @see RFC 9457 section 3 */
export const namesProblem = (accept: string | undefined): boolean =>
  accept?.includes('application/problem+json') === true;
