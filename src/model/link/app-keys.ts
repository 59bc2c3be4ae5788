import type { Source } from '../parse.ts';
import type { App } from '../shape.ts';
import type { Report } from './report.ts';

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
export function checkAppKeys(name: string, source: Source<App>, report: Report): void {
  if (source.value.secretHash !== undefined) return;
  for (const { key, isSet, why } of PUBLIC) {
    if (!isSet(source.value)) continue;
    const message = `"${key}" has no effect on the app "${name}": ${why}.`;
    const hint = 'Remove it, or give the app a secret.';
    report.add(source, [key], { code: 'MODEL_APP_KEY_IDLE', message, hint, severity: 'advice' });
  }
}
