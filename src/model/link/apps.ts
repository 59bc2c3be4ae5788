import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Definitions, hasDefinition, toNames } from '../definitions.ts';
import type { AppModel, HookModel } from '../model.ts';
import type { Source } from '../parse.ts';
import type { App, Hook } from '../shape.ts';
import { findSchema } from './calls.ts';
import { checkHookColumns } from './hook-columns.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

interface IdleKey {
  readonly key: 'rememberConsent' | 'pkce';
  isSet(app: App): boolean;
  readonly why: string;
}

const PUBLIC: readonly IdleKey[] = [
  {
    key: 'rememberConsent',
    isSet: ({ rememberConsent }) => rememberConsent === true,
    why: 'anybody can pretend to be a public app, so its users are asked every time',
  },
  { key: 'pkce', isSet: ({ pkce }) => pkce === 'optional', why: 'a public app always needs PKCE' },
];

/** Names keys without an effect on an app. An app without a secret is public. */
function checkAppKeys(name: string, source: Source<App>, report: Report): void {
  if (source.value.secretHash !== undefined) return;
  for (const { key, isSet, why } of PUBLIC) {
    if (!isSet(source.value)) continue;
    const message = `"${key}" has no effect on the app "${name}": ${why}.`;
    const hint = 'Remove it, or give the app a secret.';
    report.add(source, [key], { code: 'MODEL_APP_KEY_IDLE', message, hint, severity: 'advice' });
  }
}

type Drafts = ReadonlyMap<string, SchemaDraft>;

export function linkHooks(definitions: Definitions, drafts: Drafts, report: Report): Map<string, HookModel> {
  const hooks = new Map<string, HookModel>();
  const secrets = new Map<string, string>();
  for (const [name, source] of definitions.webhook) {
    const schema = findSchema(source, definitions, report);
    checkSecret(name, source, secrets, report);
    checkHookColumns(source, schema, drafts, report);
    hooks.set(name, Object.freeze({ name, definition: source.value, schema, file: source.file }));
  }
  return hooks;
}

/** A renamed hook keeps signing with the secret of its former name, which another hook may have taken. */
function checkSecret(name: string, source: Source<Hook>, secrets: Map<string, string>, report: Report): void {
  const secretName = source.value.secretName ?? name;
  const other = secrets.get(secretName);
  secrets.set(secretName, other ?? name);
  if (other === undefined) return;
  const message = `The web hooks "${other}" and "${name}" sign with the same secret, derived from the name "${secretName}".`;
  const hint =
    'Give one of them another "secretName"; its receivers then need the new secret: treadle webhook secret <name>.';
  const path = source.value.secretName === undefined ? [] : ['secretName'];
  report.add(source, path, { code: 'MODEL_HOOK_SECRET', message, hint, severity: 'advice' });
}

interface AppLinking {
  readonly definitions: Definitions;
  readonly report: Report;
  /** Receives problems about hooks without a file: the project's code may define them. */
  readonly open: Report;
}

/** Gives the names of the hooks reported to `open`, in that order. */
function checkLists(name: string, source: Source<App>, { definitions, report, open }: AppLinking): string[] {
  const unknown: string[] = [];
  for (const [key, kind, word] of [
    ['scopes', 'scope', 'scope'],
    ['hooks', 'webhook', 'web hook'],
  ] as const) {
    const list = source.value[key] ?? [];
    for (const [index, entry] of list.entries()) {
      if (list.indexOf(entry) !== index) {
        const message = `The app "${name}" lists the ${word} "${entry}" twice.`;
        report.add(source, [key, index], { code: 'MODEL_APP_DUPLICATE', message, hint: 'Remove one.' });
      } else if (!hasDefinition(definitions, kind, entry)) {
        const message = `The app "${name}" lists the ${word} "${entry}", which does not exist.`;
        const hint = toDidYouMean(entry, toNames(definitions, kind));
        (kind === 'webhook' ? open : report).add(source, [key, index], { code: 'MODEL_APP_UNKNOWN', message, hint });
        if (kind === 'webhook') unknown.push(entry);
      }
    }
  }
  return unknown;
}

/** Links the apps; `unknown` are the names of the hooks reported to `open`, in that order. */
export function linkApps(linking: AppLinking): {
  readonly apps: Map<string, AppModel>;
  readonly unknown: readonly string[];
} {
  const { definitions, report } = linking;
  const unknown: string[] = [];
  const apps = new Map<string, AppModel>();
  const clients = new Map<string, string>();
  for (const [name, source] of definitions.app) {
    const definition = source.value;
    unknown.push(...checkLists(name, source, linking));
    const other = clients.get(definition.clientId);
    if (other !== undefined) {
      const message = `The apps "${other}" and "${name}" have the same client id.`;
      const hint = 'Give each its own: `treadle app create` makes one.';
      report.add(source, ['clientId'], { code: 'MODEL_APP_CLIENT', message, hint });
    }
    clients.set(definition.clientId, name);
    if ((definition.hooks ?? []).length > 0 && definition.webhook === undefined) {
      const message = `The app "${name}" lists web hooks but has no address to send them to.`;
      const hint = 'Add "webhook": its address.';
      report.add(source, ['hooks'], { code: 'MODEL_APP_WEBHOOK', message, hint, severity: 'advice' });
    }
    checkAppKeys(name, source, report);
    apps.set(name, Object.freeze({ name, definition, file: source.file }));
  }
  return { apps, unknown };
}
