/** What is known of a provider by its name; the settings override each. */
export interface ProviderPreset {
  readonly label: string;
  readonly issuer?: string;
  readonly authorizeUrl?: string;
  readonly tokenUrl?: string;
  readonly userUrl?: string;
  readonly emailsUrl?: string;
  readonly scope?: string;
  /** `prompt` that lets the user choose an account again. Providers that do not know it answer an error. */
  readonly prompt?: string;
}

const PRESETS: Readonly<Record<string, ProviderPreset>> = {
  google: { label: 'Google', issuer: 'https://accounts.google.com', prompt: 'select_account' },
  // Accounts of every organization and personal ones; one organization has an issuer of its own.
  microsoft: {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    prompt: 'select_account',
  },
  github: {
    label: 'GitHub',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    userUrl: 'https://api.github.com/user',
    emailsUrl: 'https://api.github.com/user/emails',
    scope: 'read:user user:email',
  },
};

export const findPreset = (name: string): ProviderPreset | undefined =>
  Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
