import type { Problem } from '../../../core/errors.ts';
import type { Settings } from '../../../model/shape.ts';

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * A public issuer must use https, because codes and tokens travel to it. In development only an advice.
 * @see RFC 8414 section 2
 */
export function findIssuerProblems({ server }: Settings, isDevelopment: boolean): Problem[] {
  const { baseUrl } = server;
  if (baseUrl === null || !baseUrl.startsWith('http:') || LOCAL.test(new URL(baseUrl).hostname)) return [];
  return [
    {
      code: 'OAUTH_ISSUER_INSECURE',
      file: 'config/settings.json',
      path: 'server.baseUrl',
      message: `${baseUrl} is http: codes, tokens and secrets could be read on the way.`,
      hint: 'Put TLS in front of it and make it https (server.baseUrl, or TREADLE_BASE_URL). http is for 127.0.0.1 only.',
      ...(isDevelopment ? { severity: 'advice' as const } : {}),
    },
  ];
}
