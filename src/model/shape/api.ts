import * as z from 'zod';
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

/** Parameters of a search that turn rows into groups. */
export const AGGREGATES = ['group', 'sum', 'count'] as const;

const toDate = (description: string) => z.iso.date('must be a day, such as "2026-01-31"').describe(description);

export const Rest = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  title: toLabel('Title in the docs, such as `Search profiles`.'),
  access: z.enum(ACCESS).describe('Who may call: anybody, an app, or an app for a user who granted it.'),
  method: z.enum(REST_METHODS).describe('HTTP method; `all` answers each.'),
  path: toPath('Path below `/rest`; `:name` is a parameter that enters the stage.'),
  event: toEvent('Event that answers, such as `system-model-search`.'),
  parameters: toParameters('Fixed stage values; they override path and request.').optional(),
  description: z.string().optional().describe('What the call does, for the docs.'),
  own: z
    .boolean()
    .optional()
    .describe("Whether a user call is held to the rows of the token's user. Default true for user calls."),
  aggregate: z
    .array(z.enum(AGGREGATES))
    .optional()
    .describe('Which of `group`, `sum` and `count` a request to a search may have. Default none.'),
  concurrency: z
    .enum(['optional', 'required'])
    .optional()
    .describe('Whether a change of a row must say by `If-Match` which version it changes. Default `optional`.'),
  maxAge: z
    .number()
    .int()
    .min(0)
    .max(31_536_000)
    .optional()
    .describe('Seconds for which anybody may keep the answer of a public read. Default none: it is asked for again.'),
  deprecated: toDate('Day since which the call should not be used any more, such as `2026-01-31`.').optional(),
  sunset: toDate('Day from which the call may be gone.').optional(),
});
export type Rest = z.infer<typeof Rest>;

export const Scope = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  slug: toSlug("Name that apps ask for: the file's name."),
  name: toLabel('What a person reads when asked, such as `See your profile`.'),
  access: z.enum(['app', 'user']).describe('Whether an app holds it or a user grants it.'),
  description: z.string().optional().describe('What is granted, for the dialog and the docs.'),
  approval: z
    .boolean()
    .optional()
    .describe('Whether an app registered in the browser may use it only once it was approved. Default false.'),
  calls: z.array(toName('Name of a REST call.')).describe('Names of the REST calls that it opens.'),
});
export type Scope = z.infer<typeof Scope>;

export const Hook = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  title: toLabel('Title in the docs, such as `Profile created`.'),
  event: toEvent(
    'Event that fires it when it succeeds, such as `system-model-create`. A pattern such as `system-model-*` leaves out what only reads.',
  ),
  parameters: toParameters('Stage values that must match, such as `{"schema": "profile"}`.').optional(),
  filter: toParameters(
    'What the event\'s data must be, as a search asks for it: `{"article_active": 1, "article_words": {"gte": 100}}`.',
  ).optional(),
  fields: z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(200)
    .optional()
    .describe('Columns that are sent, in this order. Default all.'),
  type: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+$/, 'must be words with a dot between, such as "profile.created"')
    .describe('Type in the body that is sent, such as `profile.created`.'),
  audience: z
    .enum(['app', 'user'])
    .optional()
    .describe('Whether every subscribed app hears of it, or only that of the user concerned. Default `app`.'),
  approval: z
    .boolean()
    .optional()
    .describe('Whether an app registered in the browser hears of it only once it was approved. Default false.'),
  method: z.enum(['post', 'put']).optional().describe('HTTP method of the delivery. Default `post`.'),
  format: z
    .enum(HOOK_FORMATS)
    .optional()
    .describe(
      'How an event is written: `standard`, or as CloudEvents 1.0, whole in the body or by headers. Default `standard`.',
    ),
  url: toHttpUrl('A receiver beside the subscribed apps.').optional(),
  delivery: z
    .enum(['queued', 'inline'])
    .optional()
    .describe('Sent after the action and tried again, or during the action. Default `queued`.'),
  secretVersion: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Version of the signing secret: raise it for a new one, and both sign for a day. Default 1.'),
  secretName: toName(
    "Name that the signing secret is made from, where it is not the hook's own: a rename leaves receivers their secret.",
  ).optional(),
  description: z.string().optional().describe('When it fires, for the docs.'),
});
export type Hook = z.infer<typeof Hook>;

export const App = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  title: toLabel('Title that a person reads when asked.'),
  clientId: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9._~-]+$/, 'must hold only letters, digits, ".", "_", "~" and "-"')
    .describe('Public id of the app.'),
  secretHash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 hex digits')
    .optional()
    .describe('`sha256:` and the hash of the client secret; a public app has none.'),
  owner: z
    .string()
    .max(255)
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .optional()
    .describe('E-mail of the user who owns it.'),
  website: toHttpUrl('Its own site, shown when a person is asked.').optional(),
  redirectUris: z
    .array(toRedirectUri('An address that a person may be sent back to.'))
    .optional()
    .describe("Addresses that a person may be sent back to, compared by string. Without any, the developer section's."),
  origins: z
    .array(
      z.string().refine((value) => value !== '*' && isOrigin(value), 'must be an origin such as "https://example.org"'),
    )
    .optional()
    .describe('Origins of pages that may read what its calls answer, beside those of its `redirectUris`.'),
  scopes: z.array(toSlug('Slug of a scope.')).optional().describe('Slugs of the scopes that it may ask for or holds.'),
  webhook: toHttpUrl('Address that receives the hooks.').optional(),
  hooks: z.array(toName('Name of a web hook.')).optional().describe('Names of the web hooks that it receives.'),
  secretVersion: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("Version of its web hooks' signing secrets: raise it for new ones, and both sign for a day. Default 1."),
  rememberConsent: z.boolean().optional().describe('Whether a person is asked once only. Default false.'),
  pkce: z
    .enum(['required', 'optional'])
    .optional()
    .describe(
      'Whether a request at the standard door needs a code challenge; a public app always does. Default `required`.',
    ),
  unknownScopes: z
    .enum(['refuse', 'ignore'])
    .optional()
    .describe('What becomes of a scope that this site does not know, such as `openid`. Default `refuse`.'),
});
export type App = z.infer<typeof App>;

export const Permission = z.strictObject({
  method: z.enum(REST_METHODS).describe('HTTP method; `all` is each.'),
  path: toPath('Path pattern; `*` is one segment, `**` the rest.'),
});

export const Role = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  slug: toSlug("Name of the role: the file's name, and what a user holds."),
  name: toLabel('Label, such as `Administrator`.'),
  permissions: z.array(Permission).describe('What may be opened; nothing else is.'),
});
export type Role = z.infer<typeof Role>;
