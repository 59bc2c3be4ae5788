/** Quotes a text for a POSIX shell: nothing inside single quotes is expanded. */
export function quoteForShell(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly user?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A curl command over several lines that a shell takes as it stands. */
export function toCurl({ method, url, user, headers = [], body }: CurlRequest): string {
  const method_ = method.toUpperCase();
  const parts = [
    `curl${method_ === 'GET' || (method_ === 'POST' && body !== undefined) ? '' : ` -X ${method_}`} ${quoteForShell(url)}`,
    ...(user === undefined ? [] : [`-u ${quoteForShell(user)}`]),
    ...headers.map((header) => `-H ${quoteForShell(header)}`),
    ...(body === undefined ? [] : [`-d ${quoteForShell(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
