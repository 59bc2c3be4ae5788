/** Input of a code exchange; a public app has no secret. */
export interface TrialExchange {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secret: string | undefined;
  readonly code: string;
  readonly verifier?: string;
  readonly redirectUri?: string;
}

/** Quoted for a POSIX shell: nothing inside single quotes is expanded. */
export const quoteForShell = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

const join = (lines: readonly string[]): string => lines.join(' \\\n  ');

/** The exchange at the standard endpoint, as a shell command. @see RFC 6749 section 4.1.3 */
export function toStandardCurl({ baseUrl, clientId, secret, code, verifier, redirectUri }: TrialExchange): string {
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['grant_type', 'authorization_code'],
    ['client_id', clientId],
    ['client_secret', secret],
    ['code', code],
    ['redirect_uri', redirectUri],
    ['code_verifier', verifier],
  ];
  return join([
    `curl -X POST ${quoteForShell(`${baseUrl}/oauth/token`)}`,
    ...fields.flatMap(([name, value]) =>
      value === undefined ? [] : [`--data-urlencode ${quoteForShell(`${name}=${value}`)}`],
    ),
  ]);
}

/** The exchange at the classic endpoint, as a shell command. */
export function toClassicCurl({ baseUrl, clientId, secret, code, verifier }: TrialExchange): string {
  const query = new URLSearchParams({
    client_id: clientId,
    ...(secret === undefined ? {} : { client_secret: secret }),
    code,
    ...(verifier === undefined ? {} : { code_verifier: verifier }),
  });
  return `curl -X POST ${quoteForShell(`${baseUrl}/rest/access?${query}`)}`;
}

/** A call with a token, as a shell command. */
export const toCallCurl = (method: string, url: string, token: string): string =>
  join([
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(url)}`,
    `-H ${quoteForShell(`Authorization: Bearer ${token}`)}`,
  ]);

/** Any request, as a shell command. */
export const toRequestCurl = ({
  method,
  url,
  headers,
  body,
}: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}): string =>
  join([
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoteForShell(body)}`]),
  ]);
