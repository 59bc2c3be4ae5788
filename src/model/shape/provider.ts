import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
import { findPreset } from '../provider-preset.ts';
import { isCidr, isHttpUrl, toLabel } from './text.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** True for https, and for http to this machine: elsewhere others could read the code and the tokens. */
function isProviderUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

const toEndpoint = (description: string) =>
  z
    .string()
    .max(2048)
    .refine(isProviderUrl, 'must be an https address without user, password and fragment (http on this machine)')
    .optional()
    .describe(description);

const toKey = (description: string) => z.string().min(1).max(100).optional().describe(description);

const Provider = defer(() =>
  z.strictObject({
    label: toLabel('Name on the buttons. Default: the name of the provider.').optional(),
    issuer: toEndpoint('OpenID Connect: the issuer, exactly as its discovery document spells it.'),
    clientId: z.string().min(1).max(1024).describe('Client id that the provider gave to this site.'),
    scope: z
      .string()
      .max(1024)
      .optional()
      .describe('Scopes, separated by spaces. Default with an issuer: `openid email profile`.'),
    authorizeUrl: toEndpoint('OAuth 2.0 without OpenID Connect: the page where the user agrees.'),
    tokenUrl: toEndpoint('OAuth 2.0: the token endpoint.'),
    userUrl: toEndpoint('OAuth 2.0: the address that answers the user as a JSON object.'),
    emailsUrl: toEndpoint(
      'OAuth 2.0: the address that answers a list of `email`, `primary` and `verified`, as GitHub has it.',
    ),
    keys: z
      .strictObject({
        id: toKey('Default `sub`, else `id`.'),
        name: toKey('Default `name`.'),
        email: toKey('Default `email`.'),
        verified: toKey('True if the e-mail is verified. Default `email_verified`.'),
      })
      .optional()
      .describe("Names of the user's facts in the answer of `userUrl`."),
    clientAuth: z
      .enum(['basic', 'post'])
      .optional()
      .describe(
        'How the client secret is sent: in a header or in the body. Default: as the provider declares, else `basic`; without an issuer `post`.',
      ),
    trustEmail: z
      .boolean()
      .optional()
      .describe(
        'Whether e-mails count as verified although the provider does not say so. Only for a provider of your own organization.',
      ),
    allowPrivate: z
      .array(z.string().refine(isCidr, 'must be an address block such as "10.0.0.0/8"'))
      .optional()
      .describe('Private address blocks (CIDR) that the endpoints of this provider may have.'),
  }),
);
type ProviderInput = z.infer<typeof Provider>;

/** What is missing of the endpoints, as the end of a sentence; undefined if nothing is. */
function findEndpointError(
  name: string,
  { issuer, authorizeUrl, tokenUrl, userUrl }: ProviderInput,
): string | undefined {
  const own = [authorizeUrl, tokenUrl, userUrl].filter((url) => url !== undefined).length;
  if (issuer !== undefined)
    return own === 0
      ? undefined
      : 'has an issuer, which names the endpoints: leave out authorizeUrl, tokenUrl and userUrl';
  if (own === 3 || (own === 0 && findPreset(name) !== undefined)) return undefined;
  return 'needs an issuer (OpenID Connect), or authorizeUrl, tokenUrl and userUrl (OAuth 2.0)';
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Sign-in providers by name. `google`, `microsoft` and `github` need a `clientId` only. */
export const Providers = defer(() =>
  z.record(z.string(), Provider).superRefine((providers, context) => {
    for (const [name, provider] of Object.entries(providers)) {
      const error = NAME.test(name)
        ? findEndpointError(name, provider)
        : 'must have a name of lower case letters, digits and "-" that starts with a letter';
      if (error !== undefined) context.addIssue({ code: 'custom', path: [name], message: error });
    }
  }),
);
