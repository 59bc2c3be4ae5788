import * as z from 'zod';
import { isCidr, isHttpUrl, isOrigin, jsonSchemaKey, toLabel, toPath } from './text.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;
const toCount = (least: number, most: number) => z.number().int().min(least).max(most);

const Database = z.strictObject({
  url: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must start with "sqlite:" or "postgres://"')
    .default('sqlite:var/app.db')
    .describe('`sqlite:<file>` or `postgres://…`; `DATABASE_URL` overrides it.'),
});

const Server = z.strictObject({
  baseUrl: z
    .string()
    .refine(
      (text) => isHttpUrl(text) && !text.includes('?') && !text.endsWith('/'),
      'must be an http or https address without query, fragment and final "/"',
    )
    .nullable()
    .default(null)
    .describe('Public address; null is the address listened on. `TREADLE_BASE_URL` overrides it.'),
  trustProxy: z.boolean().default(false).describe('Whether `X-Forwarded-*` of the proxy in front is believed.'),
  bodyBytes: toCount(1024, 1_073_741_824).default(1_048_576).describe('Bytes of a body, at most; more is 413.'),
  uploadBytes: toCount(1024, 1_073_741_824)
    .default(10_485_760)
    .describe(
      'Bytes of an uploaded file, and of a form with files, at most; more is 413. Counts where a schema has files.',
    ),
  cors: z
    .array(z.string().refine(isOrigin, 'must be "*" or an origin such as "https://example.org"'))
    .default([])
    .describe('Origins whose pages may call the API.'),
});

const OAuth = z.strictObject({
  mode: z
    .enum(['classic', 'standard', 'strict'])
    .default('classic')
    .describe('Which doors and answers: the classic and the standard ones, the standard ones, those of OAuth 2.1.'),
  codeSeconds: toCount(1, 600).default(60).describe('Seconds that a code lives; RFC 6749 allows 600 at most.'),
  accessSeconds: toCount(1, 30 * DAY)
    .default(3600)
    .describe('Seconds that an access token lives.'),
  classicAccessSeconds: toCount(1, YEAR)
    .default(2_592_000)
    .describe('Seconds that an access token of the classic door lives, which has no refresh.'),
});

const Webhook = z.strictObject({
  allowPrivate: z
    .array(z.string().refine(isCidr, 'must be an address block such as "10.0.0.0/8"'))
    .default([])
    .describe('Private address blocks that hooks may call.'),
  timeoutSeconds: z.number().min(0.1).max(60).default(15).describe('Seconds that a receiver may take.'),
});

const Limits = z
  .strictObject({
    perMinute: toCount(1, 1_000_000).default(600).describe('Calls a minute of an app or a token.'),
    pageRows: toCount(1, 10_000).default(50).describe('Rows of a search where `limit` is left out.'),
    maxPageRows: toCount(1, 10_000).default(100).describe('Rows of a search at most.'),
    expandRows: toCount(1, 1_000_000)
      .default(20_000)
      .describe('Related rows that `expand` of a search may bring along: rows of the page by 100 for each list.'),
  })
  .refine((limits) => limits.pageRows <= limits.maxPageRows, {
    message: 'must not be more than maxPageRows',
    path: ['pageRows'],
  });

export const Settings = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  name: toLabel('Name of the site.').default('Treadle'),
  home: toPath('Path that a person is sent to after login, and from `/` where no page is there.').default('/'),
  api: z.boolean().default(false).describe('Whether the API and its developer section are served.'),
  database: Database.prefault({}).describe('Where the data is.'),
  server: Server.prefault({}).describe('How the server answers.'),
  session: z
    .strictObject({
      idleSeconds: toCount(60, YEAR).default(1_209_600).describe('Seconds after which an idle session ends.'),
    })
    .prefault({})
    .describe("People's sessions."),
  auth: z
    .strictObject({
      verify: z.boolean().default(false).describe('Whether an e-mail address must be verified before login.'),
      signup: z.boolean().default(true).describe('Whether people may sign up themselves.'),
    })
    .prefault({})
    .describe('Sign-up and login.'),
  oauth: OAuth.prefault({}).describe('Codes and tokens.'),
  webhook: Webhook.prefault({}).describe('How web hooks are sent.'),
  limits: Limits.prefault({}).describe('Rates and sizes.'),
  admin: z
    .strictObject({
      write: z
        .boolean()
        .default(false)
        .describe('Whether the admin section may write definition files; `dev` always may.'),
    })
    .prefault({})
    .describe('The admin section.'),
});
export type Settings = z.infer<typeof Settings>;
/** Settings as a file may hold them, with everything left out that is as by default. */
export type SettingsInput = z.input<typeof Settings>;
