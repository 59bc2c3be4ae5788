import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
import { ContentPolicy } from './content-policy.ts';
import { Providers } from './provider.ts';
import { isBaseUrl, isCidr, isLanguageTag, isOrigin, isSafeRecord, jsonSchemaKey, toLabel, toPath } from './text.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;
/** Proxies in a row. */
const MOST_PROXIES = 16;
const toCount = (least: number, most: number) => z.number().int().min(least).max(most);

export const Database = defer(() =>
  z.strictObject({
    url: z
      .string()
      .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must start with "sqlite:" or "postgres://"')
      .default('sqlite:var/app.db')
      .describe('`sqlite:<file>` or `postgres://…`. `DATABASE_URL` overrides it.'),
  }),
);

const TrustProxy = defer(() =>
  z.union(
    [
      z.boolean(),
      toCount(0, MOST_PROXIES),
      z.array(z.string().refine(isCidr, 'must be an address or a network such as "10.0.0.0/8"')),
    ],
    {
      error: `must be false, the number of proxies (${MOST_PROXIES} at most), or a list of addresses and networks such as ["10.0.0.0/8"]`,
    },
  ),
);

/** Folders of `public/`. No segment begins with a dot, because such files are not served. */
const FOLDER = /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)*$/;
const FOLDER_RULE =
  'must begin and end with "/", such as "/app/", and hold only letters, digits, "-", ".", "_" and "~"';
const toFolder = () => z.string().max(255).regex(FOLDER, FOLDER_RULE);

export const Server = defer(() =>
  z.strictObject({
    baseUrl: z
      .string()
      .refine(
        isBaseUrl,
        'must be an http or https address without query, fragment and final "/"; its path may hold letters, digits, "-", ".", "_" and "~"',
      )
      .nullable()
      .default(null)
      .describe(
        'Public URL of the site, such as `https://example.org`, or `https://example.org/shop` for a site under a path; null is the address that the server listens on. `TREADLE_BASE_URL` overrides it.',
      ),
    trustProxy: TrustProxy.default(false).describe(
      'Which proxies may tell the address and the scheme of a client by `X-Forwarded-For` and `X-Forwarded-Proto`: `false` none, the number of proxies in a row (`true` is 1), or a list of their addresses and networks. Set a number only if nothing but your proxy can reach the port.',
    ),
    bodyBytes: toCount(1024, 1_073_741_824)
      .default(1_048_576)
      .describe('Maximum size of a request body in bytes. A larger body is answered 413.'),
    uploadBytes: toCount(1024, 1_073_741_824)
      .default(10_485_760)
      .describe(
        "Maximum size of an uploaded file, and of a form with files, in bytes. A larger one is answered 413. It applies to REST calls of schemas with files and to the project's own pages.",
      ),
    cors: z
      .array(z.string().refine(isOrigin, 'must be "*" or an origin such as "https://example.org"'))
      .optional()
      .describe(
        'Origins whose pages may read the API from a browser (CORS). Without this key, pages of any origin may read what needs no credentials: public calls, uploads, metadata, the OpenAPI document and answers with 404. With a list, only pages of these origins may, and an empty list allows none. Pages of an app may always read what the app calls.',
      ),
    contentSecurityPolicy: ContentPolicy.default({}).describe(
      'Directives of the Content-Security-Policy of the site\'s own pages and files, such as `{ "style-src": ["\'self\'", "\'unsafe-inline\'"] }`. Each replaces the same directive of the usual policy; the others stay. Pages of Treadle, such as `/admin` and `/auth`, keep the usual policy.',
    ),
    singlePage: z
      .array(toFolder())
      .default([])
      .describe(
        'Folders of `public/` with a single-page front end, such as `/app/`: a page below that has no route and no file is answered with the `index.html` of the folder. The longest folder counts.',
      ),
    immutable: z
      .array(toFolder().refine((folder) => folder !== '/', 'must not be the whole site'))
      .default([])
      .describe(
        'Folders of `public/` whose file names change with their content, such as `/app/assets/`: browsers keep these files for a year and do not ask again.',
      ),
    metrics: z
      .enum(['off', 'loopback', 'token'])
      .default('off')
      .describe(
        'Who may read `/metrics`: `off` nobody; `loopback` programs on this machine, never through a proxy; `token` clients that send `METRICS_TOKEN` as a Bearer token.',
      ),
    drainSeconds: toCount(0, 600)
      .default(0)
      .describe(
        'Seconds between SIGTERM and the end of the listener. Meanwhile `/health/ready` answers 503, so that a load balancer sends requests elsewhere, and all other requests are served.',
      ),
  }),
);

const Auth = defer(() =>
  z.strictObject({
    verify: z
      .boolean()
      .default(false)
      .describe(
        'Whether an account that signs up must confirm its e-mail by a mailed link before it can log in. Accounts made before are not asked. Needs `MAIL_URL`.',
      ),
    signup: z.boolean().default(true).describe('Whether visitors may sign up.'),
    providers: Providers.default({}).describe(
      'Providers by which people sign in, by name: `google`, `microsoft` and `github` need a `clientId`, others an `issuer` too. The client secret is the variable `AUTH_<NAME>_SECRET`.',
    ),
  }),
);

const OAuth = defer(() =>
  z.strictObject({
    mode: z
      .enum(['classic', 'standard', 'strict'])
      .default('classic')
      .describe(
        'Which OAuth endpoints and rules: `classic` the classic and the standard ones, `standard` the standard ones, `strict` OAuth 2.1.',
      ),
    codeSeconds: toCount(1, 600)
      .default(60)
      .describe('Lifetime of an authorization code in seconds. RFC 6749 allows 600 at most.'),
    accessSeconds: toCount(1, 30 * DAY)
      .default(3600)
      .describe('Lifetime of an access token in seconds.'),
    classicAccessSeconds: toCount(1, YEAR)
      .default(2_592_000)
      .describe('Lifetime in seconds of an access token from the classic endpoint, which has no refresh token.'),
  }),
);

const Upload = defer(() =>
  z.strictObject({
    public: z
      .boolean()
      .default(false)
      .describe(
        'Whether anybody may upload files by `POST /rest/public/upload`. It is there if a public call writes a schema with files.',
      ),
  }),
);

const Webhook = defer(() =>
  z.strictObject({
    allowPrivate: z
      .array(z.string().refine(isCidr, 'must be an address block such as "10.0.0.0/8"'))
      .default([])
      .describe('Private address blocks (CIDR) that web hooks may call.'),
    timeoutSeconds: z.number().min(0.1).max(60).default(15).describe('Seconds within which a receiver must answer.'),
  }),
);

const Limits = defer(() =>
  z
    .strictObject({
      perMinute: toCount(1, 1_000_000)
        .default(600)
        .describe('REST calls per minute, for each app and for each user of an app.'),
      pageRows: toCount(1, 10_000).default(50).describe('Rows per page of a search without `limit`.'),
      maxPageRows: toCount(1, 10_000).default(100).describe('Maximum `limit` of a search.'),
      expandRows: toCount(1, 1_000_000)
        .default(20_000)
        .describe(
          'Maximum number of related rows that `expand` may add to a search. Each list of each row counts as 100.',
        ),
      readSeconds: z
        .number()
        .min(0.1)
        .max(30)
        .default(5)
        .describe('Seconds that a database read of a request may wait, and seconds that it may run.'),
      slowMilliseconds: toCount(0, 60_000)
        .default(50)
        .describe(
          'Milliseconds from which a search counts as slow: its shape is kept, with advice, for `treadle slow` and the admin section. 0 keeps every search. In `dev` it is at most 20.',
        ),
      connections: toCount(16, 1_000_000)
        .default(4096)
        .describe(
          'Maximum number of open client connections per process. The limit is lower if the process may open fewer files.',
        ),
    })
    .refine((limits) => limits.pageRows <= limits.maxPageRows, {
      message: 'must not be more than maxPageRows',
      path: ['pageRows'],
    }),
);

const History = defer(() =>
  z.strictObject({
    days: toCount(0, 36_500)
      .default(365)
      .describe('Days for which it is kept who changed which row or definition, and what. 0 keeps no history.'),
  }),
);

const Sitemap = defer(() => z.array(toPath('Path of a page.')).max(10_000));

const Custom = defer(() =>
  z.record(z.string(), z.unknown()).refine(isSafeRecord, 'must not name "__proto__", "constructor" or "prototype"'),
);
const CUSTOM =
  "The project's own settings: any JSON under keys of your choice. Code reads them as `app.settings.custom`. Secrets belong in `.env`.";

const SANDBOXES =
  'Number of sandboxes that developers may have for their apps at once. A sandbox is the site a second time, with rows of its own, below `var/sandbox`. 0 gives none.';

const API =
  '`true` serves the API and its developer section. Left out, calls answer and the developer section is closed. `false` closes `/rest`, `/oauth`, `/dialog` and `/developer`: they answer 404.';

export const Settings = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    name: toLabel('Name of the site.').default('Treadle'),
    home: toPath(
      'Path that users are redirected to after login, and from `/` if the project has no page there.',
    ).default('/'),
    api: z.boolean().optional().describe(API),
    languages: z
      .array(z.string().refine(isLanguageTag, 'must be a language tag such as "en" or "pt-BR"'))
      .min(1)
      .refine((tags) => new Set(tags).size === tags.length, 'must not name a language twice')
      .default(['en'])
      .describe(
        'Languages of the pages and messages; the first one is the default. Translations are `config/locale/<tag>.json`.',
      ),
    languagePath: z
      .boolean()
      .default(false)
      .describe('Whether every language has its own paths, such as `/de/articles`.'),
    sitemap: Sitemap.default([]).describe(
      'Paths of pages that `/sitemap.xml` lists, such as `/` and `/articles`, besides the rows of schemas with `page`.',
    ),
    database: Database.prefault({}).describe('Where the data is stored.'),
    server: Server.prefault({}).describe('The HTTP server.'),
    upload: Upload.prefault({}).describe('Uploads by a call of their own.'),
    session: z
      .strictObject({
        idleSeconds: toCount(60, YEAR).default(1_209_600).describe('Seconds after which an unused session ends.'),
      })
      .prefault({})
      .describe('Login sessions.'),
    auth: Auth.prefault({}).describe('Sign-up and login.'),
    oauth: OAuth.prefault({}).describe('OAuth: modes and lifetimes.'),
    webhook: Webhook.prefault({}).describe('Delivery of web hooks.'),
    limits: Limits.prefault({}).describe('Limits of rates and sizes.'),
    admin: z
      .strictObject({
        write: z
          .boolean()
          .default(false)
          .describe('Whether the admin section may write definition files. In `dev` it always may.'),
      })
      .prefault({})
      .describe('The admin section.'),
    history: History.prefault({}).describe('The history of rows and definitions.'),
    sandboxes: toCount(0, 1000).default(0).describe(SANDBOXES),
    custom: Custom.default({}).describe(CUSTOM),
  }),
);
/** The settings with their defaults: the keys of [config/settings.json](definitions.md#settings). */
export type Settings = z.infer<typeof Settings>;
/** Settings as in a file: everything with a default may be missing. */
export type SettingsInput = z.input<typeof Settings>;
