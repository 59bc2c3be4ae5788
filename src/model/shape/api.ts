import * as z from 'zod';
import type { Action } from '../../core/access.ts';
import { defer } from '../../core/memoize.ts';
import {
  isOrigin,
  isSafeRecord,
  jsonSchemaKey,
  toHttpUrl,
  toLabel,
  toName,
  toPath,
  toRedirectUri,
  toSlug,
} from './text.ts';

export const ACCESS = ['public', 'app', 'user'] as const;
export type Access = (typeof ACCESS)[number];
export const REST_METHODS = ['all', 'get', 'post', 'put', 'patch', 'delete'] as const;
export type RestMethod = (typeof REST_METHODS)[number];
export const HOOK_FORMATS = ['standard', 'cloudevents-structured', 'cloudevents-binary'] as const;
export type HookFormat = (typeof HOOK_FORMATS)[number];

const toParameters = (description: string) =>
  z
    .record(z.string(), z.unknown())
    .refine(isSafeRecord, 'must not name "__proto__", "constructor" or "prototype"')
    .describe(description);

const toEvent = (description: string) =>
  z
    .string()
    .min(1)
    .max(255)
    .regex(/^\S(.*\S)?$/, 'must not start or end with a blank')
    .describe(description);

const toSecretVersion = (description: string) =>
  z.number().int().min(1).max(1_000_000).optional().describe(description);

/** Parameters of a search that group rows. */
export const AGGREGATES = ['group', 'sum', 'average', 'count', 'least', 'greatest'] as const;

const toDate = (description: string) => z.iso.date('must be a day, such as "2026-01-31"').describe(description);

export const Rest = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    title: toLabel('Title in the docs, such as `Search profiles`.'),
    access: z
      .enum(ACCESS)
      .describe("Who may call: `public` anybody, `app` an app, `user` an app with a user's access token."),
    method: z.enum(REST_METHODS).describe('HTTP method; `all` is every method.'),
    path: toPath('Path below `/rest`. The value of a parameter such as `:name` is put in the stage.'),
    event: toEvent('Event that answers the call, such as `system-model-search`.'),
    parameters: toParameters('Fixed stage values. They override the path and the request.').optional(),
    description: z.string().optional().describe('What the call does, for the docs.'),
    own: z
      .boolean()
      .optional()
      .describe("Whether the call reaches only rows of the token's user. Default true for user calls."),
    open: z
      .boolean()
      .optional()
      .describe('Confirms that strangers may use the call, so that `check` does not advise against it. Default false.'),
    aggregate: z
      .array(z.enum(AGGREGATES))
      .optional()
      .describe(
        'Which of `group`, `sum`, `average`, `count`, `least` and `greatest` a request may use in a search. Default: none of them.',
      ),
    removed: z
      .boolean()
      .optional()
      .describe(
        'Whether a request may ask for removed rows with `filter[x_active]=0` or `=any`. Otherwise the answer is 400. Default false.',
      ),
    concurrency: z
      .enum(['optional', 'required'])
      .optional()
      .describe('Whether a change of a row requires `If-Match`. Default `optional`.'),
    maxAge: z
      .number()
      .int()
      .min(0)
      .max(31_536_000)
      .optional()
      .describe(
        'Seconds for which caches may keep the answer of a public read. Default: caches revalidate every time.',
      ),
    deprecated: toDate('Day since which the call is deprecated, such as `2026-01-31`.').optional(),
    sunset: toDate('Day from which the call may be removed.').optional(),
  }),
);
export type Rest = z.infer<typeof Rest>;

export const Scope = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    slug: toSlug('Name that apps request, the same as the file name.'),
    name: toLabel('What users read in the consent dialog, such as `See your profile`.'),
    access: z.enum(['app', 'user']).describe('`app` if an app holds the scope, `user` if a user grants it.'),
    description: z.string().optional().describe('What the scope grants, for the consent dialog and the docs.'),
    approval: z
      .boolean()
      .optional()
      .describe(
        'Whether an app that was registered in the browser needs approval before it may use the scope. Default false.',
      ),
    calls: z.array(toName('Name of a REST call.')).describe('Names of the REST calls that it opens to a token.'),
  }),
);
export type Scope = z.infer<typeof Scope>;

export const Hook = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    title: toLabel('Title in the docs, such as `Profile created`.'),
    event: toEvent(
      'Event that fires the hook when it succeeds, such as `system-model-create`. A pattern such as `system-model-*` leaves out events that only read.',
    ),
    parameters: toParameters('Stage values that must match, such as `{"schema": "profile"}`.').optional(),
    filter: toParameters(
      'Conditions on the event\'s data, in the grammar of a search: `{"article_active": 1, "article_words": {"gte": 100}}`.',
    ).optional(),
    fields: z
      .array(z.string().min(1).max(255))
      .min(1)
      .max(200)
      .optional()
      .describe('Columns to send, in this order. Default all.'),
    type: z
      .string()
      .max(255)
      .regex(/^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+$/, 'must be words with a dot between, such as "profile.created"')
      .describe('`type` in the body, such as `profile.created`.'),
    audience: z
      .enum(['app', 'user'])
      .optional()
      .describe(
        'Who receives it: `app` every subscribed app, `user` only subscribed apps of the user concerned. Default `app`.',
      ),
    approval: z
      .boolean()
      .optional()
      .describe(
        'Whether an app that was registered in the browser needs approval before it receives the hook. Default false.',
      ),
    method: z.enum(['post', 'put']).optional().describe('HTTP method of the delivery. Default `post`.'),
    format: z
      .enum(HOOK_FORMATS)
      .optional()
      .describe(
        'Format of the request: `standard`, or CloudEvents 1.0 in structured or binary mode. Default `standard`.',
      ),
    url: toHttpUrl("URL of the project's own receiver, in addition to subscribed apps.").optional(),
    delivery: z
      .enum(['queued', 'inline'])
      .optional()
      .describe('`queued` sends after the action, with retries; `inline` sends during the action. Default `queued`.'),
    secretVersion: toSecretVersion(
      'Version of the signing secret. A higher one makes a new secret; for a day old and new both sign. Default 1.',
    ),
    secretName: toName(
      "Name that the signing secret is derived from, if it is not the hook's own. A rename sets it, so that receivers keep their secret.",
    ).optional(),
    description: z.string().optional().describe('When it fires, for the docs.'),
  }),
);
export type Hook = z.infer<typeof Hook>;

export const App = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    title: toLabel('Title that users see in the consent dialog.'),
    clientId: z
      .string()
      .max(255)
      .regex(/^[A-Za-z0-9._~-]+$/, 'must hold only letters, digits, ".", "_", "~" and "-"')
      .describe('Public id of the app.'),
    secretHash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 hex digits')
      .optional()
      .describe('`sha256:` and the hash of the client secret. Without it the app is public.'),
    owner: z
      .string()
      .max(255)
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .optional()
      .describe('E-mail of the user who owns the app.'),
    website: toHttpUrl("The app's website, shown in the consent dialog.").optional(),
    redirectUris: z
      .array(toRedirectUri('A redirect URI.'))
      .optional()
      .describe("Redirect URIs, compared as text. Without any, the developer section's own page."),
    origins: z
      .array(
        z
          .string()
          .refine((value) => value !== '*' && isOrigin(value), 'must be an origin such as "https://example.org"'),
      )
      .optional()
      .describe('Origins that may call the API for this app (CORS), in addition to those of its `redirectUris`.'),
    scopes: z
      .array(toSlug('Slug of a scope.'))
      .optional()
      .describe('Slugs of the scopes that the app may request or holds.'),
    webhook: toHttpUrl('URL that receives the web hooks.').optional(),
    hooks: z.array(toName('Name of a web hook.')).optional().describe('Names of the web hooks that the app receives.'),
    secretVersion: toSecretVersion(
      'Version of the signing secrets of its web hooks. A higher one makes new secrets; for a day old and new both sign. Default 1.',
    ),
    rememberConsent: z
      .boolean()
      .optional()
      .describe('Whether a user is asked only once for the same scopes. Default false.'),
    pkce: z
      .enum(['required', 'optional'])
      .optional()
      .describe(
        'Whether an authorization request at the standard endpoint needs PKCE. A public app always does. Default `required`.',
      ),
    unknownScopes: z
      .enum(['refuse', 'ignore'])
      .optional()
      .describe('What happens to an unknown scope in a request, such as `openid`. Default `refuse`.'),
  }),
);
export type App = z.infer<typeof App>;

const Permission = defer(() =>
  z.strictObject({
    method: z.enum(REST_METHODS).describe('HTTP method; `all` is every method.'),
    path: toPath('Path pattern; `*` is one segment, `**` the rest.'),
  }),
);

const toColumns = (description: string) =>
  z
    .array(z.string().regex(/^(?:\*|-?[a-z][A-Za-z0-9_-]*)$/, 'must be a column, a field, "*" or "-" and a name'))
    .optional()
    .describe(description);

const toRuleFilter = (description: string) => toParameters(description).optional();

/** What a role may do with rows by one action. */
const RowRule = defer(() =>
  z.strictObject({
    filter: toRuleFilter(
      'Rows that it reaches, in the grammar of a search over any column: `{"profile_id": "$me.profile_id"}`. Values: `$me.<column>`, `$me.profile_id`, `$me.roles`, `$now`. Default all.',
    ),
    check: toRuleFilter('What a row must match after the write. Default as `filter`.'),
    read: toColumns(
      'Columns or fields that may be read; `*` is all, `-note` takes one out. Default all. Ids may always be read.',
    ),
    write: toColumns('Columns or fields that a request may write, in the same form. Default all.'),
  }),
);
const RoleRule = defer(() => z.union([z.boolean(), RowRule]));
const toAction = (description: string) => RoleRule.optional().describe(description);

const RoleData = defer(() =>
  z.strictObject({
    search: toAction('Searching rows; exporting them too.'),
    detail: toAction('Showing one row, and rows through the relations of others.'),
    create: toAction('Creating a row.'),
    update: toAction('Changing a row.'),
    remove: toAction('Removing a row.'),
    restore: toAction('Restoring a removed row.'),
    import: toAction('Importing rows.'),
    link: toAction('Linking and unlinking rows by relations that the schema declares.'),
  } satisfies Record<Action, unknown>),
);

export const Role = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    slug: toSlug('Name of the role, the same as the file name. Users hold it.'),
    name: toLabel('Label, such as `Administrator`.'),
    secondFactor: z
      .enum(['required', 'optional'])
      .optional()
      .describe(
        'Whether the role opens something only to users with a second factor. Who holds it and has none is led to set one up after the login. Default `optional`.',
      ),
    permissions: z.array(Permission).describe('Paths that the role opens.'),
    data: z
      .record(z.string(), RoleData)
      .refine(isSafeRecord, 'must not name "__proto__", "constructor" or "prototype"')
      .optional()
      .describe(
        'What the role may do with rows, by schema and action: `true`, `false` or an object. A schema that any role names is closed to what no role allows.',
      ),
  }),
);
export type Role = z.infer<typeof Role>;
export type RoleRule = z.infer<typeof RoleRule>;
