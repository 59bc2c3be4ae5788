// Made by `npm run docs` from the shapes of Treadle's events; change those instead.

/** Treadle's own events with their stages and results, for app.emit. Those on rows of a schema are typed by it. */
export interface TreadleEvents {
  /** Wraps the content in the admin layout. */
  readonly 'admin-render-page': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: undefined;
  };
  /** Refuses a request with `Expect: 100-continue` before its body is sent, if its credentials or the type of its body are refused. */
  readonly 'api-expect': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: undefined;
  };
  /** Adds CORS headers to a request that is refused before its route runs, for example because its body is broken. */
  readonly 'api-refuse': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: undefined;
  };
  /** Approves scopes and web hooks for an app that was registered in the browser. For administrators. */
  readonly 'app-approve': {
    readonly stage: {
      /** The app, or use `client_id`. */
      readonly app_id?: number | string | null | undefined;
      /** Its client id. */
      readonly client_id?: string | undefined;
      /** Slugs of the scopes to approve. */
      readonly scopes?: string | readonly string[] | undefined;
      /** Names of the web hooks to approve. Without `scopes` and `hooks`: everything that the app waits for. */
      readonly hooks?: string | readonly string[] | undefined;
      /** `1` withdraws the approval: tokens lose these scopes at once, and these web hooks are no longer sent. */
      readonly revoke?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
    };
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly approved: string[];
      readonly pending: string[];
      readonly approved_hooks: string[];
      readonly pending_hooks: string[];
    };
  };
  /** Registers an app. */
  readonly 'app-create': {
    readonly stage: {
      /** Title that users see in the consent dialog. */
      readonly title?: string | undefined;
      /** Account (`auth_id`) that registers it. */
      readonly owner: number | string;
      /** The app's website. */
      readonly website?: string | undefined;
      /** Redirect URIs: a list, or one per line. */
      readonly redirect_uris?: string | readonly string[] | undefined;
      /** Slugs of the scopes that the app may request or holds. */
      readonly scopes?: string | readonly string[] | undefined;
      /** URL that receives its web hooks. */
      readonly webhook?: string | undefined;
      /** Names of the web hooks that it receives. */
      readonly hooks?: string | readonly string[] | undefined;
      /** `1` for a public app, which cannot keep a secret and must use PKCE. */
      readonly public?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** `1` makes PKCE optional for a confidential app. */
      readonly pkce_optional?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
    };
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly pending: string[];
      readonly pending_hooks: string[];
      readonly webhook_secrets: { hook: string; secret: string; }[];
      readonly warning?: string | undefined;
      readonly title: string;
      readonly client_secret?: string | undefined;
    };
  };
  /** Lists the apps with scopes or web hooks that wait for approval, the newest first. */
  readonly 'app-pending-search': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: {
      readonly rows: { app_id: number; client_id: string; title: string; pending: string[]; pending_hooks: string[]; }[];
    };
  };
  /** Gives an app a new client secret. The old one works for one more day. */
  readonly 'app-refresh': {
    readonly stage: {
      /** The app. */
      readonly app_id: number | string;
      /** The account that owns the app. */
      readonly owner?: number | string | null | undefined;
      /** `true`, set by code: an app of any owner. For operators. */
      readonly any?: boolean | undefined;
      /** `1` revokes the old secret at once, for example after a leak. */
      readonly at_once?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
    };
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly title: string;
      readonly client_secret: string;
      readonly old_until: number;
    };
  };
  /** Removes an app with its consents and tokens. */
  readonly 'app-remove': {
    readonly stage: {
      /** The app, or use `client_id`. */
      readonly app_id?: number | string | null | undefined;
      /** Its client id. */
      readonly client_id?: string | undefined;
      /** Only an app of this account (`auth_id`). Without it: any app that has no definition file. */
      readonly owner?: number | string | null | undefined;
    };
    readonly results: AppRemoveResults;
  };
  /** An app's last 100 requests, newest first. */
  readonly 'app-request-search': {
    readonly stage: {
      /** The app. */
      readonly app_id: number | string;
      /** The account that owns the app. */
      readonly owner?: number | string | null | undefined;
    };
    readonly results: AppRequestSearchResults;
  };
  /** Resumes a suspended app. Its tokens work again. */
  readonly 'app-restore': {
    readonly stage: AppRestoreStage;
    readonly results: AppRemoveResults;
  };
  /** Makes a sandbox for an app: the site a second time, with rows, accounts and tokens of its own. */
  readonly 'app-sandbox-create': {
    readonly stage: AppSandboxCreateStage;
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly title: string;
      readonly address: string;
      readonly client_secret?: string | undefined;
      readonly webhook_secrets?: unknown;
      readonly people: { email: string; password: string; }[];
    };
  };
  /** Throws an app's sandbox away, with all rows, accounts and tokens in it. */
  readonly 'app-sandbox-remove': {
    readonly stage: AppSandboxCreateStage;
    readonly results: AppRemoveResults;
  };
  /** Lists an account's apps with their requests of the last day. */
  readonly 'app-search': {
    readonly stage: {
      /** The account that owns the apps. */
      readonly owner?: string | number | boolean | null | undefined;
      /** Only the app with this client id. */
      readonly client_id?: string | undefined;
      /** `true`, set by code: the apps of every owner. For operators. */
      readonly any?: boolean | undefined;
    };
    readonly results: AppRequestSearchResults;
  };
  /** Ends one session of an app, or all of them. Their tokens stop working at once. */
  readonly 'app-session-remove': {
    readonly stage: {
      /** The app. */
      readonly app_id: number | string;
      /** The account that owns the app. */
      readonly owner?: number | string | null | undefined;
      /** `true`, set by code: an app of any owner. For operators. */
      readonly any?: boolean | undefined;
      /** The session. Without it: all sessions, and the app's own tokens. */
      readonly grant_id?: number | string | null | undefined;
    };
    readonly results: {
      readonly removed: number;
      readonly app_id: number;
      readonly client_id: string;
      readonly grant_id: number | null;
    };
  };
  /** Lists an app's sessions, newest first: the consents that have a live token. */
  readonly 'app-session-search': {
    readonly stage: {
      /** The app. */
      readonly app_id: number | string;
      /** The account that owns the app. */
      readonly owner?: number | string | null | undefined;
      /** `true`, set by code: an app of any owner. For operators. */
      readonly any?: boolean | undefined;
      /** Only sessions with a lower `grant_id`: the next page. */
      readonly before?: number | string | undefined;
    };
    readonly results: {
      readonly rows: Record<string, unknown>[];
      readonly total: number;
      readonly next: number | null;
    };
  };
  /** Suspends an app that was registered in the browser: its dialog, secrets and tokens stop working. */
  readonly 'app-suspend': {
    readonly stage: AppRestoreStage;
    readonly results: AppRemoveResults;
  };
  /** An app's requests of the last 31 days by hour and class of status. */
  readonly 'app-traffic': {
    readonly stage: AppSandboxCreateStage;
    readonly results: {
      readonly rows: { hour: number; succeeded: number; refused: number; failed: number; last_at: number; }[];
    };
  };
  /** Gives an app a second client secret for ten minutes. It exchanges codes but cannot get a client credentials token. The app's own secret stays. */
  readonly 'app-trial': {
    readonly stage: {
      /** The app. */
      readonly client_id?: string | undefined;
    };
    readonly results: {
      readonly client_id: string;
      readonly until: number;
      readonly client_secret?: string | undefined;
    };
  };
  /** Gives an account an access token of an app for ten minutes, to try calls. Only code may name the account. */
  readonly 'app-trial-token': {
    readonly stage: {
      /** The app. */
      readonly client_id?: string | undefined;
      /** The account that the token acts for. */
      readonly auth_id: number | string;
      /** True for a token with a consent, as if the user had allowed all scopes in the dialog: the app gets the web hooks for this user, too. Only code may ask for it. */
      readonly consent?: boolean | undefined;
    };
    readonly results: {
      readonly client_id: string;
      readonly scopes: string[];
      readonly until: number;
      readonly access_token: string;
    };
  };
  /** Changes an app that was registered in the browser. Keys that are left out are cleared. */
  readonly 'app-update': {
    readonly stage: {
      /** The app. */
      readonly app_id: number | string;
      /** The account that owns the app. */
      readonly owner?: number | string | null | undefined;
      /** Title that users see in the consent dialog. */
      readonly title?: string | undefined;
      /** The app's website. */
      readonly website?: string | undefined;
      /** Redirect URIs: a list, or one per line. */
      readonly redirect_uris?: string | readonly string[] | undefined;
      /** Slugs of the scopes that the app may request or holds. */
      readonly scopes?: string | readonly string[] | undefined;
      /** URL that receives its web hooks. */
      readonly webhook?: string | undefined;
      /** Names of the web hooks that it receives. */
      readonly hooks?: string | readonly string[] | undefined;
      /** `1` makes PKCE optional for a confidential app. */
      readonly pkce_optional?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
    };
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly pending: string[];
      readonly pending_hooks: string[];
      readonly webhook_secrets: { hook: string; secret: string; }[];
      readonly warning?: string | undefined;
    };
  };
  /** Creates an account and its profile, in one transaction. With `auth.verify` it mails a link, and the account can log in once it is verified. */
  readonly 'auth-create': {
    readonly stage: {
      /** E-mail address; must be unique. */
      readonly auth_slug?: string | undefined;
      /** Password of 8 to 256 characters. */
      readonly auth_password?: string | undefined;
      /** The same password again, for forms. Optional. */
      readonly confirm?: string | undefined;
      /** Name of the new profile. Other columns of the profile are taken too. */
      readonly profile_name?: string | undefined;
      /** Uses this existing profile instead of a new one. */
      readonly profile_id?: number | string | undefined;
      /** Slug of a role; several are separated by commas. `admin` is built in. Never taken from a sign-up form. */
      readonly auth_type?: string | undefined;
      /** 1 or 0. Default 1. */
      readonly auth_active?: 0 | 1 | '0' | '1' | null | undefined;
      /** 1 if the e-mail is verified. Default 0; never taken from a request. */
      readonly auth_verified?: 0 | 1 | '0' | '1' | null | undefined;
      /** Tag of a language of the site, such as `de`. Empty: as the browser asks. Default: of the page on which a visitor signs up. */
      readonly auth_language?: string | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: AuthCreateResults;
  };
  /** Removes an account for good, with its profile and every row that the profile owns; each row is removed by `system-model-remove`. One transaction: if a row is refused, everything stays. Asks for the password. */
  readonly 'auth-delete': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** The current password. */
      readonly auth_current?: string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Finds an account. Inside a request a person sees the own one, and of others what the rules for profiles show: e-mail and roles only who may open `/admin/user`. */
  readonly 'auth-detail': {
    readonly stage: {
      /** Its id, or use `auth_slug` or `profile_id`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Id of its profile. */
      readonly profile_id?: number | string | undefined;
    };
    readonly results: AuthDetailResults;
  };
  /** Takes the trust from one device of an account, or from all: their next login asks for the second step. */
  readonly 'auth-device-remove': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Id of the device. Default: all of them. */
      readonly device?: number | string | undefined;
    };
    readonly results: AuthDeviceRemoveResults;
  };
  /** Asks to change the e-mail of an account: mails a link to the new address, and changes it once the link is used (`auth-verify`). Answers the same for an address that has an account. */
  readonly 'auth-email': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** The new address. */
      readonly email?: string | undefined;
      /** The current password. */
      readonly auth_current?: string | undefined;
    };
    readonly results: {
      readonly email: string;
    };
  };
  /** Mails the link that changes the e-mail of an account (template `auth-email`), to the new address; nothing if that address has an account. The mail queue emits it. */
  readonly 'auth-email-mail': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** The new address. */
      readonly email?: string | undefined;
    };
    readonly results: undefined;
  };
  /** Asks for a mail by which a lost password is replaced. Answers the same for every address, and in the same time. */
  readonly 'auth-forgot': {
    readonly stage: AuthForgotStage;
    readonly results: AuthForgotResults;
  };
  /** Mails the link that replaces a lost password (template `auth-forgot`); nothing if there is no such account. The mail queue emits it. */
  readonly 'auth-forgot-mail': {
    readonly stage: AuthForgotMailStage;
    readonly results: undefined;
  };
  /** Creates an account without a known password and mails a link by which the user chooses one (template `auth-invite`). For the command line and administrators only. */
  readonly 'auth-invite': {
    readonly stage: {
      /** E-mail address; must be unique. */
      readonly auth_slug?: string | undefined;
      /** Name of the new profile. Other columns of the profile are taken too. */
      readonly profile_name?: string | undefined;
      /** Slug of a role. Optional. */
      readonly auth_type?: string | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: AuthDeleteResults;
  };
  /** Mails the link by which an invited user chooses a password (template `auth-invite`). The mail queue emits it. */
  readonly 'auth-invite-mail': {
    readonly stage: AuthForgotMailStage;
    readonly results: undefined;
  };
  /** Finds the languages that accounts keep, for mails to them. For code that runs as the system. */
  readonly 'auth-language-search': {
    readonly stage: {
      /** List of e-mail addresses. */
      readonly emails?: readonly string[] | undefined;
    };
    readonly results: {
      readonly languages: Record<string, string>;
    };
  };
  /** Checks an e-mail and a password, and the second factor if the account has one. Failed attempts are limited by account and network; a browser that logged in to the account before has limits of its own. */
  readonly 'auth-login': {
    readonly stage: {
      /** E-mail address. */
      readonly auth_slug?: string | undefined;
      /** Password. */
      readonly auth_password?: string | undefined;
      /** The code of the authenticator app, or a recovery code, if the account has a second factor. Without it such an account is refused with 401; the login page leads to the second step. */
      readonly auth_code?: string | number | boolean | null | undefined;
      /** Instead: a recovery code. Each works once. */
      readonly recovery_code?: string | number | boolean | null | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Ends the session of the request. The logout button emits it. */
  readonly 'auth-logout': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: undefined;
  };
  /** Adds a passkey to an account, and mails the owner. With the first second factor other sessions end. */
  readonly 'auth-passkey-create': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Name for the list of passkeys, at most 100 characters. */
      readonly name?: string | number | boolean | null | undefined;
      /** The answer of the new passkey as JSON, with `state` from `/auth/passkey/options`. */
      readonly credential?: unknown;
      /** With `credential`. */
      readonly state?: string | number | boolean | null | undefined;
    };
    readonly results: AuthPasskeyCreateResults;
  };
  /** Checks a passkey that is the only proof of a login: it says who logs in, and must have verified the user. Also fires the web hooks of `auth-login`. */
  readonly 'auth-passkey-login': {
    readonly stage: {
      /** The answer of the passkey as JSON, with `state` from `/auth/passkey/options`. */
      readonly credential?: unknown;
      /** With `credential`. */
      readonly state?: string | number | boolean | null | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Removes a passkey of an account, mails the owner, and takes the trust from all devices. With the last factor the recovery codes go, too. Refuses the last way in. */
  readonly 'auth-passkey-remove': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Id of the passkey. */
      readonly passkey?: number | string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Renames a passkey of an account. */
  readonly 'auth-passkey-update': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Id of the passkey. */
      readonly passkey?: number | string | undefined;
      /** New name, at most 100 characters. */
      readonly name?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly passkey: number;
      readonly name: string;
    };
  };
  /** Links a provider's user to an account, which it opens from then on, and mails the account. Linking twice is once. Takes nothing that came with a request but the account. */
  readonly 'auth-provider-link': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Name of the provider in the settings. */
      readonly provider?: string | undefined;
      /** The provider, as it names itself. */
      readonly issuer?: string | undefined;
      /** The user's key there. Issuer and subject together name the user. */
      readonly subject?: string | undefined;
      /** E-mail, if the provider tells it. */
      readonly email?: string | undefined;
      /** 1 if the provider says that the e-mail belongs to the user. */
      readonly email_verified?: 0 | 1 | '0' | '1' | null | undefined;
      /** Name, if the provider tells it. */
      readonly name?: string | undefined;
    };
    readonly results: {
      readonly auth_id: number;
      readonly provider: string;
      readonly email: string | null;
    };
  };
  /** Lists the providers by which an account signs in. */
  readonly 'auth-provider-search': {
    readonly stage: AuthForgotMailStage;
    readonly results: {
      readonly rows: { link_id: number; provider: string; label: string; email: string | null; created: string; used: string; is_set: boolean; }[];
    };
  };
  /** Removes the link of an account to a provider's user. Refuses the last way in. */
  readonly 'auth-provider-unlink': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Of `auth-provider-search`. */
      readonly link_id?: number | string | undefined;
    };
    readonly results: {
      readonly auth_id: number;
      readonly provider: string;
    };
  };
  /** Sets a new password by a mailed link, which works once; ends all sessions and the access of apps, and confirms the e-mail address. If the address was not confirmed before, it also removes second factors, trusted devices and linked providers: somebody else may have signed up with it. */
  readonly 'auth-recover': {
    readonly stage: {
      /** From the link. */
      readonly token?: string | undefined;
      /** New password. */
      readonly auth_password?: string | undefined;
      /** The new password again, for forms. Optional. */
      readonly confirm?: string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Makes ten new recovery codes for an account with a second factor; the old ones no longer work. */
  readonly 'auth-recovery-create': {
    readonly stage: AuthForgotMailStage;
    readonly results: {
      readonly recovery_codes: string[];
    };
  };
  /** Disables an account: no login, and its sessions and tokens stop working at once. */
  readonly 'auth-remove': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** `true` refuses to leave no administrator who can log in. */
      readonly keeps_administrator?: boolean | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Sets a password without the current one. For the command line and administrators only. */
  readonly 'auth-reset': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** New password. */
      readonly auth_password?: string | undefined;
      /** The new password again, for forms. Optional. */
      readonly confirm?: string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Enables a disabled account again. */
  readonly 'auth-restore': {
    readonly stage: AuthForgotMailStage;
    readonly results: AuthDeleteResults;
  };
  /** Adds a role to an account or removes one. For the command line and administrators only. */
  readonly 'auth-role': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Slug of a role to add. */
      readonly add?: string | undefined;
      /** Slug of a role to remove. */
      readonly remove?: string | undefined;
      /** `true` refuses to leave no administrator who can log in. */
      readonly keeps_administrator?: boolean | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Searches accounts, oldest first. Inside a request the rules for profiles apply: e-mail and roles show to who may open `/admin/user`, and only they may search by them. */
  readonly 'auth-search': {
    readonly stage: {
      /** Part of the e-mail address. */
      readonly q?: string | undefined;
      readonly filter?: { auth_active?: unknown; } | undefined;
      /** Slug of a role that the account holds. */
      readonly role?: string | undefined;
      /** Rows, 1 to 100. Default 50. */
      readonly limit?: unknown;
      /** Rows to skip. Default 0. */
      readonly offset?: unknown;
    };
    readonly results: AuthSearchResults;
  };
  /** Checks a second factor of an account: a code, a recovery code or a passkey. Failed attempts are limited as those of passwords are. A login that it completes also fires the web hooks of `auth-login`. */
  readonly 'auth-second-factor': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** The code of the authenticator app. Each works once. */
      readonly auth_code?: string | number | boolean | null | undefined;
      /** Instead: a recovery code. Each works once. */
      readonly recovery_code?: string | number | boolean | null | undefined;
      /** Instead: the answer of a passkey as JSON, with `state` from `/auth/passkey/options`. */
      readonly credential?: unknown;
      /** With `credential`. */
      readonly state?: string | number | boolean | null | undefined;
      /** True if this is the second step of a login. */
      readonly is_login?: boolean | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Takes every second factor from an account, for someone who lost a device: app, passkeys, recovery codes and trusted devices. Mails the owner. */
  readonly 'auth-second-factor-remove': {
    readonly stage: AuthForgotMailStage;
    readonly results: AuthDeleteResults;
  };
  /** Lists the second factors of an account, without their secrets. */
  readonly 'auth-second-factor-search': {
    readonly stage: AuthForgotMailStage;
    readonly results: {
      readonly rows: ({ kind: 'totp' | 'passkey'; id: number; name: string; created: string | null; used: string | null; })[];
      readonly recovery_codes: number;
      readonly devices: { device: number; browser: string; address: string; created: string; used: string; expires: string; }[];
    };
  };
  /** Ends one session of an account, or all of them. */
  readonly 'auth-session-end': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** Id of the session. Default: all of them. */
      readonly session?: string | undefined;
    };
    readonly results: AuthForgotResults;
  };
  /** Lists an account's sessions, the last used first. */
  readonly 'auth-session-search': {
    readonly stage: AuthForgotMailStage;
    readonly results: AuthSearchResults;
  };
  /** Creates the first administrator by the link that `treadle dev` prints. */
  readonly 'auth-setup': {
    readonly stage: {
      /** From the link. */
      readonly token?: string | undefined;
      /** E-mail address; must be unique. */
      readonly auth_slug?: string | undefined;
      /** Password of 8 to 256 characters. */
      readonly auth_password?: string | undefined;
      /** The same password again, for forms. Optional. */
      readonly confirm?: string | undefined;
      /** Name of the new profile. Other columns of the profile are taken too. */
      readonly profile_name?: string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Makes a link by which one person signs up as the first administrator, if there is none. `treadle dev` prints it. For the command line only. */
  readonly 'auth-setup-link': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: {
      readonly link?: string | undefined;
    };
  };
  /** Signs in by a provider: finds the account that its user is linked to, or creates one. Refuses with 409 if the provider vouches for an e-mail that has an account: the pages then ask for that account’s own login and emit `auth-provider-link`. Takes nothing that came with a request. */
  readonly 'auth-sso-login': {
    readonly stage: {
      /** Name of the provider in the settings. */
      readonly provider?: string | undefined;
      /** The provider, as it names itself. */
      readonly issuer?: string | undefined;
      /** The user's key there. Issuer and subject together name the user. */
      readonly subject?: string | undefined;
      /** E-mail, if the provider tells it. */
      readonly email?: string | undefined;
      /** 1 if the provider says that the e-mail belongs to the user. */
      readonly email_verified?: 0 | 1 | '0' | '1' | null | undefined;
      /** Name, if the provider tells it. */
      readonly name?: string | undefined;
      /** For a new account, instead of `name`. Other columns of the profile are taken too. */
      readonly profile_name?: string | undefined;
      /** For a new account, if the provider does not vouch for an e-mail. */
      readonly auth_slug?: string | undefined;
      /** For a new account with `auth.verify`, if the provider does not vouch for an e-mail. */
      readonly auth_password?: string | undefined;
      /** The same password again, for forms. Optional. */
      readonly confirm?: string | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: AuthCreateResults;
  };
  /** Tells the owner of an account that somebody signed up with its e-mail address, with a link to a new password (template `auth-taken`). The mail queue emits it, with `auth.verify` only. */
  readonly 'auth-taken-mail': {
    readonly stage: AuthForgotMailStage;
    readonly results: undefined;
  };
  /** Gives an account an authenticator app as second factor, in place of another app, and mails the owner. With the first factor other sessions end. */
  readonly 'auth-totp-create': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** The seed in base32: 32 characters. */
      readonly secret?: string | number | boolean | null | undefined;
      /** A current code of the app: it proves that the app has the seed. */
      readonly auth_code?: string | number | boolean | null | undefined;
    };
    readonly results: AuthPasskeyCreateResults;
  };
  /** Takes the authenticator app from an account, mails the owner, and takes the trust from all devices. With the last factor the recovery codes go, too. */
  readonly 'auth-totp-remove': {
    readonly stage: AuthForgotMailStage;
    readonly results: AuthDeleteResults;
  };
  /** Changes the name, the language or the password of an account; a new password ends its other sessions. */
  readonly 'auth-update': {
    readonly stage: {
      /** The account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
      /** New name. */
      readonly profile_name?: string | undefined;
      /** Tag of a language of the site, such as `de`. Empty: as the browser asks. */
      readonly auth_language?: string | undefined;
      /** New password. */
      readonly auth_password?: string | undefined;
      /** The new password again. */
      readonly confirm?: string | undefined;
      /** The current password; required with a new one, unless the account has none. */
      readonly auth_current?: string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Marks an account's e-mail as verified: by the mailed link and the password, or by `auth_id` on the command line and for administrators. A link of `auth-email` also changes the e-mail, and the old address gets a mail if it was confirmed. If the account was open before its e-mail was verified, and the link is opened by somebody who is not logged in to it, trusted devices, linked providers and sessions end; with a second factor the user must be logged in. */
  readonly 'auth-verify': {
    readonly stage: {
      /** From the link. */
      readonly token?: string | undefined;
      /** The password of the account, with `token`. An account without one changes its e-mail in a session of its own. */
      readonly auth_password?: string | undefined;
      /** Without a token: the account, or use `auth_slug`. */
      readonly auth_id?: number | string | null | undefined;
      /** Its e-mail address. */
      readonly auth_slug?: string | undefined;
    };
    readonly results: AuthDeleteResults;
  };
  /** Mails the link that confirms an e-mail address (template `auth-verify`); nothing if it is confirmed or has no account. The mail queue emits it. */
  readonly 'auth-verify-mail': {
    readonly stage: AuthForgotMailStage;
    readonly results: undefined;
  };
  /** Asks for the mail again by which an e-mail address is confirmed. Answers the same for every address, and in the same time. */
  readonly 'auth-verify-request': {
    readonly stage: AuthForgotStage;
    readonly results: AuthForgotResults;
  };
  /** Ends an app's access to an account: its tokens stop working at once. */
  readonly 'grant-remove': {
    readonly stage: {
      /** The account; in a user call always that of the token. */
      readonly auth_id?: number | string | null | undefined;
      /** The app. */
      readonly app_id: number | string;
    };
    readonly results: {
      readonly removed: number;
      readonly auth_id: number;
      readonly app_id: number;
    };
  };
  /** Lists the apps that may act for an account. */
  readonly 'grant-search': {
    readonly stage: {
      /** The account; in a user call always that of the token. */
      readonly auth_id?: string | number | boolean | null | undefined;
    };
    readonly results: AppRequestSearchResults;
  };
  /** Records that a definition file changed. For code that saves definitions. */
  readonly 'history-definition': {
    readonly stage: {
      /** The file, such as `config/schema/article.json`. */
      readonly file: string;
      /** Its text before; absent if it is new. */
      readonly before?: unknown;
      /** Its text now; absent if it is removed. */
      readonly after?: unknown;
      /** What was done, in words. Optional. */
      readonly title?: unknown;
    };
    readonly results: Readonly<Record<string, never>>;
  };
  /** Announces that a definition file is about to be written. Without it, a server that loads the file before `history-definition` records it as changed by somebody else. */
  readonly 'history-definition-expect': {
    readonly stage: {
      /** The file, such as `config/schema/article.json`. */
      readonly file: string;
      /** Its text now; absent if it is removed. */
      readonly after?: unknown;
    };
    readonly results: Readonly<Record<string, never>>;
  };
  /** One entry of the history, with each column before and after the change. */
  readonly 'history-detail': {
    readonly stage: {
      /** The entry. */
      readonly history_id: number | string;
    };
    readonly results: {
      readonly changes: Record<string, unknown[]>;
      readonly [key: string]: unknown;
    };
  };
  /** A row as it was before a change and after it. */
  readonly 'history-model-versions': {
    readonly stage: {
      /** The entry of the change. */
      readonly history_id: number | string;
    };
    readonly results: {
      readonly history: Record<string, unknown>;
      readonly schema: unknown;
      readonly original: Record<string, unknown> | null;
      readonly current: Record<string, unknown> | null;
    };
  };
  /** Makes a row what it was before or after a change: by `system-model-update`, `-restore`, `-remove` or, if it is gone, `-create`, so rules and hooks apply. */
  readonly 'history-revert': {
    readonly stage: {
      /** The entry of the change. */
      readonly history_id: number | string;
      /** `before` (default) or `after` the change. */
      readonly version?: unknown;
    };
    readonly results: {
      readonly schema: string;
      readonly id: number;
    };
  };
  /** Lists who changed which row or definition, the newest first. */
  readonly 'history-search': {
    readonly stage: {
      /** Name of a schema, or `schema/article` for a definition. */
      readonly schema?: string | number | boolean | null | undefined;
      /** Id of a row. */
      readonly id?: string | number | boolean | null | undefined;
      /** Account of the person. */
      readonly auth_id?: string | number | boolean | null | undefined;
      /** The app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** One of page, admin, rest, command, job, file, system. */
      readonly door?: string | number | boolean | null | undefined;
      /** One of create, update, remove, restore, link, unlink, import. */
      readonly action?: string | number | boolean | null | undefined;
      /** First day or time, UTC. */
      readonly since?: string | number | boolean | null | undefined;
      /** Last day, or the time before which, UTC. */
      readonly until?: string | number | boolean | null | undefined;
      /** Only entries with a lower id: the next page. */
      readonly before?: string | number | boolean | null | undefined;
      /** At most, 1 to 100. Default 50. */
      readonly limit?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly rows: { history_id: number | null; kind: string | null; subject: string | null; row_id: number | null; action: string | null; created: string | null; auth_id: number | null; app_id: number | null; door: string | null; source: string | null; address: string | null; request_id: string | null; columns: unknown; details: unknown; }[];
      readonly next: number | null;
      readonly [key: string]: unknown;
    };
  };
  /** Returns a job of the project's code. */
  readonly 'job-detail': {
    readonly stage: JobDetailStage;
    readonly results: {
      readonly job_id: number | null;
      readonly name: string | null;
      readonly state: 'waiting' | 'running' | 'failed' | 'unhandled' | 'done' | 'replaced';
      readonly attempts: number | null;
      readonly most_attempts: number | null;
      readonly key: string | null;
      readonly data: unknown;
      readonly reason: string | null;
      readonly queued: string | null;
      readonly due: string | null;
      readonly started: string | null;
      readonly settled: string | null;
      readonly [key: string]: unknown;
    };
  };
  /** How many of the jobs of the project's code wait, run and failed. */
  readonly 'job-figures': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: {
      readonly waiting: number;
      readonly under_way: number;
      readonly later: number;
      readonly unhandled: number;
      readonly failed: number;
      readonly wait_seconds: number;
    };
  };
  /** Queues a job, with the open transaction if there is one. `app.queue` emits it. */
  readonly 'job-queue': {
    readonly stage: {
      /** Name of the job. Never from a request, like the next three. */
      readonly name: string;
      /** Seconds until the first attempt. Default 0. */
      readonly delay?: number | string | undefined;
      /** At most one job of the name waits with this key. */
      readonly key?: string | undefined;
      /** Attempts before it is given up, 1 to 20. Default 5. */
      readonly attempts?: number | string | undefined;
      /** What the handler gets: JSON of at most 64 kB. Default `{}`. */
      readonly data?: unknown;
    };
    readonly results: {
      readonly job_id: number;
      readonly queued: boolean;
    };
  };
  /** Queues a job again that was given up, with all its attempts, or runs one that waits at once. */
  readonly 'job-retry': {
    readonly stage: JobDetailStage;
    readonly results: {
      readonly job_id: number;
      readonly name: string;
    };
  };
  /** Lists the jobs of the project's code, the newest first, and when its schedules run next. */
  readonly 'job-search': {
    readonly stage: {
      /** One of waiting, running, unhandled, done, failed, replaced, or several, separated by commas. */
      readonly state?: string | number | boolean | null | readonly (string | number | boolean | null)[] | undefined;
      /** Name of the job. */
      readonly name?: string | number | boolean | null | undefined;
      /** Only jobs with a lower id: the next page. */
      readonly before?: string | number | boolean | null | undefined;
      /** At most, 1 to 100. Default 50. */
      readonly limit?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly rows: ({ job_id: number | null; name: string | null; state: 'waiting' | 'running' | 'failed' | 'unhandled' | 'done' | 'replaced'; attempts: number | null; most_attempts: number | null; key: string | null; data: unknown; reason: string | null; queued: string | null; due: string | null; started: string | null; settled: string | null; })[];
      readonly next: number | null;
      readonly [key: string]: unknown;
    };
  };
  /** How many mails wait, were sent and failed. */
  readonly 'mail-figures': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: {
      readonly waiting: number;
      readonly oldest_seconds: number;
      readonly sent: number;
      readonly failed: number;
    };
  };
  /** Queues an event that finds out later whether to send a mail: the request that asks takes as long for any address. For Treadle itself and code that runs as the system. */
  readonly 'mail-prepare': {
    readonly stage: {
      /** The event to emit, such as `auth-forgot-mail`. */
      readonly event?: unknown;
      /** Its stage; sealed until then. */
      readonly stage?: unknown;
      /** Seconds after which it is given up. Default two days. */
      readonly seconds?: number | undefined;
    };
    readonly results: Readonly<Record<string, never>>;
  };
  /** Tries a mail at once that waits for its next attempt. The content of a mail that was given up is gone. */
  readonly 'mail-retry': {
    readonly stage: {
      /** Id of the mail. */
      readonly mail_id: number | string;
    };
    readonly results: {
      readonly mail_id: number;
      readonly template: string;
    };
  };
  /** Lists the mails of the last 30 days, the newest first, without recipient and text. */
  readonly 'mail-search': {
    readonly stage: {
      /** One of waiting, sent, failed, kept. */
      readonly state?: string | number | boolean | null | undefined;
      /** Only mails with a lower id: the next page. */
      readonly before?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly rows: ({ mail_id: number | null; template: string | null; state: 'waiting' | 'sent' | 'failed' | 'kept'; attempts: number | null; reason: string | null; created: string | null; expires: string | null; settled: string | null; })[];
      readonly next: number | null;
      readonly [key: string]: unknown;
    };
  };
  /** Queues a mail, with the open transaction if there is one. `app.mail` emits it. A listener before it may send mail another way. */
  readonly 'mail-send': {
    readonly stage: {
      /** E-mail address, or a list of at most 100; each gets a mail of their own. Never from a request. */
      readonly to: string | readonly unknown[];
      /** Subject. Default: the first line of the `.txt` template, if it begins with `Subject:`. */
      readonly subject?: unknown;
      /** Name of the templates `app/www/src/template/mail/<name>.txt` and `.html`. */
      readonly template: string;
      /** What the templates render, with `site.name` and `site.url`. */
      readonly data?: unknown;
      /** Tag of the language of its recipients, such as `de`. Default: of each recipient’s account, else of the request. */
      readonly language?: unknown;
      /** Seconds after which a mail that could not be sent is given up. Default two days. */
      readonly seconds?: unknown;
    };
    readonly results: {
      readonly queued: number;
    };
  };
  /** Token introspection (RFC 7662), for an app's own tokens. */
  readonly 'oauth-introspect': {
    readonly stage: {
      /** The app; a public one may not ask. */
      readonly client_id?: string | undefined;
      /** The app's secret. */
      readonly client_secret?: string | undefined;
      /** The token. */
      readonly token?: string | undefined;
      /** Not needed: every kind of token is tried. */
      readonly token_type_hint?: string | undefined;
    };
    readonly results: {
      readonly active: boolean;
      readonly scope?: string | undefined;
      readonly client_id?: string | undefined;
      readonly sub?: string | undefined;
      readonly exp?: number | undefined;
      readonly iat?: number | undefined;
      readonly iss?: string | undefined;
      readonly aud?: string | undefined;
      readonly token_type?: string | undefined;
    };
  };
  /** Revokes a token of an app. A refresh token takes all tokens of its consent with it. */
  readonly 'oauth-revoke': {
    readonly stage: {
      /** The app. */
      readonly client_id?: string | undefined;
      /** The app's secret; a public app has none. */
      readonly client_secret?: string | undefined;
      /** The token; an unknown one is not an error. */
      readonly token?: string | undefined;
      /** Not needed: every kind of token is tried. */
      readonly token_type_hint?: string | undefined;
    };
    readonly results: Readonly<Record<string, never>>;
  };
  /** Issues tokens for a code, a refresh token or client credentials (RFC 6749). */
  readonly 'oauth-token': {
    readonly stage: {
      /** `authorization_code`, `refresh_token` or `client_credentials`. */
      readonly grant_type?: string | undefined;
      /** The app. */
      readonly client_id?: string | undefined;
      /** The app's secret; a public app has none. */
      readonly client_secret?: string | undefined;
      /** The authorization code. */
      readonly code?: string | undefined;
      /** The redirect URI that the code was sent to. Optional with a verifier. */
      readonly redirect_uri?: string | undefined;
      /** The PKCE verifier of the challenge in the authorization request. */
      readonly code_verifier?: string | undefined;
      /** The refresh token; it works once. */
      readonly refresh_token?: string | undefined;
      /** Fewer scopes than were granted, separated by spaces. */
      readonly scope?: string | undefined;
      /** Addresses that the token is for, separated by spaces: only the site's own or its API's (RFC 8707). */
      readonly resource?: string | undefined;
    };
    readonly results: {
      readonly access_token: string;
      readonly token_type: string;
      readonly expires_in: number;
      readonly refresh_token?: string | undefined;
      readonly scope: string;
    };
  };
  /** Exchanges an authorization code for an access token and its secret. */
  readonly 'rest-access': {
    readonly stage: {
      /** The app. */
      readonly client_id?: string | undefined;
      /** The app's secret; a public app has none. */
      readonly client_secret?: string | undefined;
      /** The authorization code. */
      readonly code?: string | undefined;
      /** The redirect URI that the code was sent to. Optional. */
      readonly redirect_uri?: string | undefined;
      /** The PKCE verifier, if the authorization request had a challenge. */
      readonly code_verifier?: string | undefined;
    };
    readonly results: {
      readonly access_token: string;
      readonly access_secret?: string | undefined;
      readonly profile_id: string;
      readonly profile_name: string;
      readonly profile_created: string;
    };
  };
  /** Finds the user of a profile, as far as `auth-detail` shows the account. */
  readonly 'rest-resource': {
    readonly stage: {
      /** The profile. */
      readonly profile_id: number | string;
    };
    readonly results: {
      readonly id: unknown;
      readonly email: unknown;
      readonly name: unknown;
      readonly created: unknown;
    };
  };
  /** Finds the app that sends a REST call. */
  readonly 'rest-source-app-detail': {
    readonly stage: {
      /** The app. */
      readonly client_id?: unknown;
      /** Its secret; must match if given. */
      readonly client_secret?: unknown;
      /** Whether the call needs the secret, as every write does. */
      readonly isSecretNeeded?: unknown;
    };
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly scopes: string[];
      readonly owner_profile_id: number | null;
    };
  };
  /** Lists the origins of active apps, taken from their redirect URIs. */
  readonly 'rest-source-origin-search': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: {
      readonly rows: { client_id: string; origins: string[]; }[];
    };
  };
  /** Finds the user and the app of an access token. */
  readonly 'rest-source-session-detail': {
    readonly stage: {
      /** The token. */
      readonly access_token?: unknown;
      /** Its secret; must match if given. */
      readonly access_secret?: unknown;
      /** Whether the token came in the query string; returned unchanged. */
      readonly isQuery?: unknown;
    };
    readonly results: {
      readonly app_id: number;
      readonly client_id: string;
      readonly auth_id: number | null;
      readonly profile_id: number | null;
      readonly scopes: string[];
      readonly isQuery: boolean;
    };
  };
  /** Ends a session of any app, or all of an app. Their tokens stop working at once. */
  readonly 'session-remove': {
    readonly stage: {
      /** The session. */
      readonly grant_id?: number | string | null | undefined;
      /** Without `grant_id`: all sessions of this app, and the app's own tokens; in a user call those of the token's account. */
      readonly app_id?: number | string | null | undefined;
    };
    readonly results: {
      readonly removed: number;
      readonly app_id: number;
      readonly grant_id: number | null;
    };
  };
  /** Lists the sessions of all apps, newest first: the consents that have a live token. */
  readonly 'session-search': {
    readonly stage: {
      /** Only those of this app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Only those of this account; in a user call always that of the token. */
      readonly auth_id?: string | number | boolean | null | undefined;
      /** Only sessions with a lower `grant_id`: the next page. */
      readonly before?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly rows: { grant_id: number | null; auth_id: number | null; profile_name: string | null; scopes: unknown; created_at: number | null; used_at: number | null; expires_at: number | null; app_id: number | null; title: string | null; }[];
      readonly next: number | null;
      readonly [key: string]: unknown;
    };
  };
  /** Forgets slow searches, such as those from before an index was added. */
  readonly 'slow-remove': {
    readonly stage: {
      /** Only this one. Default: all. */
      readonly slow_id?: string | number | boolean | null | undefined;
    };
    readonly results: AuthDeviceRemoveResults;
  };
  /** Lists slow searches with the index that helps. The one that took the most time in all comes first. */
  readonly 'slow-search': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: AppRequestSearchResults;
  };
  /** Writes the file of a new fieldset, and serves it. */
  readonly 'system-fieldset-create': {
    readonly stage: {
      /** Name of the fieldset. */
      readonly name?: string | undefined;
      /** Its fields. */
      readonly fields?: unknown;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Reads a fieldset definition. */
  readonly 'system-fieldset-detail': {
    readonly stage: {
      /** Name of the fieldset. */
      readonly name?: string | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: AuthDetailResults;
  };
  /** Removes the file of a fieldset. Rows stay in the database unless their loss is allowed. */
  readonly 'system-fieldset-remove': {
    readonly stage: {
      /** Name of the fieldset. */
      readonly name?: string | undefined;
      /** 1 removes what refers to it too. Without it a reference is an error. */
      readonly cascade?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** `permanent` drops the table too, with a copy kept. */
      readonly mode?: 'permanent' | undefined;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Writes the file of a fieldset again that the admin section removed. */
  readonly 'system-fieldset-restore': {
    readonly stage: {
      /** Name of the fieldset. */
      readonly name?: string | undefined;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Lists the fieldset definitions. */
  readonly 'system-fieldset-search': {
    readonly stage: SystemFieldsetSearchStage;
    readonly results: SystemFieldsetSearchResults;
  };
  /** Changes the file of a fieldset, and serves it. */
  readonly 'system-fieldset-update': {
    readonly stage: {
      /** Name of the fieldset. */
      readonly name?: string | undefined;
      /** SHA-256 (base64url) of the text that was edited: another text on disk is a conflict, 409. */
      readonly base?: string | undefined;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Creates, changes, removes and restores rows of a schema in one transaction: all or nothing. */
  readonly 'system-model-batch': {
    readonly stage: {
      /** Name of the schema. */
      readonly schema: string;
      /** List of 1 to 100, each `{action, id, values}`; action is create, update, remove or restore. 20 passwords at most. */
      readonly operations: readonly ({ action: 'create' | 'update' | 'remove' | 'restore'; id?: number | string; values?: Record<string, unknown>; })[];
    };
    readonly results: AppRequestSearchResults;
  };
  /** Creates and changes many rows, all or none. */
  readonly 'system-model-import': {
    readonly stage: {
      /** Name of the schema. */
      readonly schema: string;
      /** List of rows. A key is a column, a field name, or the name of an N:N relation with a list of ids. A row with a known id or unique value is changed. A REST call may set 20 passwords at most. */
      readonly rows: readonly Record<string, unknown>[];
      /** true ignores unknown keys. */
      readonly ignore_unknown?: boolean | undefined;
      /** true checks every row and writes nothing. */
      readonly dry_run?: boolean | undefined;
    };
    readonly results: {
      readonly data: { action: string; row: Record<string, unknown>; error: boolean; }[];
      readonly new: number;
      readonly old: number;
      readonly cleaned?: Record<string, number> | undefined;
    };
  };
  /** Links two rows. Linking them again changes nothing. */
  readonly 'system-relation-link': {
    readonly stage: SystemRelationLinkStage;
    readonly results: AuthDetailResults;
  };
  /** Unlinks two rows. */
  readonly 'system-relation-unlink': {
    readonly stage: SystemRelationLinkStage;
    readonly results: AuthDetailResults;
  };
  /** Removes all links of a row in one relation. */
  readonly 'system-relation-unlink-all': {
    readonly stage: SystemRelationLinkStage;
    readonly results: AuthDetailResults;
  };
  /** Writes the file of a new schema, and serves it. */
  readonly 'system-schema-create': {
    readonly stage: {
      /** Name of the schema. */
      readonly name?: string | undefined;
      /** Its fields. */
      readonly fields?: unknown;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Reads a schema definition. */
  readonly 'system-schema-detail': {
    readonly stage: {
      /** Name of the schema. */
      readonly name?: string | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: AuthDetailResults;
  };
  /** Removes the file of a schema. Rows stay in the database unless their loss is allowed. */
  readonly 'system-schema-remove': {
    readonly stage: {
      /** Name of the schema. */
      readonly name?: string | undefined;
      /** 1 removes what refers to it too. Without it a reference is an error. */
      readonly cascade?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** `permanent` drops the table too, with a copy kept. */
      readonly mode?: 'permanent' | undefined;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Writes the file of a schema again that the admin section removed. */
  readonly 'system-schema-restore': {
    readonly stage: {
      /** Name of the schema. */
      readonly name?: string | undefined;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Lists the schema definitions. */
  readonly 'system-schema-search': {
    readonly stage: SystemFieldsetSearchStage;
    readonly results: SystemFieldsetSearchResults;
  };
  /** Changes the file of a schema, and serves it. */
  readonly 'system-schema-update': {
    readonly stage: {
      /** Name of the schema. */
      readonly name?: string | undefined;
      /** SHA-256 (base64url) of the text that was edited: another text on disk is a conflict, 409. */
      readonly base?: string | undefined;
      /** `preview` writes nothing: `outcome.review` says what saving would do. */
      readonly do?: 'preview' | undefined;
      /** 1 does migration steps that lose data too, with a copy kept. */
      readonly allow_loss?: boolean | 0 | 1 | '0' | '1' | 'on' | null | undefined;
      /** Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`. */
      readonly defaults?: Record<string, string> | undefined;
      readonly [key: string]: unknown;
    };
    readonly results: SystemFieldsetCreateResults;
  };
  /** Removes uploaded files that no row refers to, and half-written ones of killed servers. */
  readonly 'system-upload-clean': {
    readonly stage: {
      /** Minimum age of a file in seconds; younger files stay. Default a day. */
      readonly older_seconds?: number | string | undefined;
      /** true only lists them. */
      readonly dry_run?: boolean | undefined;
    };
    readonly results: {
      readonly total: number;
      readonly bytes: number;
      readonly rows: { address: string; bytes: number; }[];
      readonly drafts: { total: number; bytes: number; };
    };
  };
  /** Replaces the name of a renamed web hook in the subscriptions and approvals of apps that were registered in the browser. */
  readonly 'webhook-app-rename': {
    readonly stage: {
      /** The old name; no hook may have it any more. */
      readonly from: string;
      /** The new name. */
      readonly to: string;
    };
    readonly results: {
      readonly count: number;
    };
  };
  /** Raises the secret version of an app, which gives its web hooks new signing secrets. */
  readonly 'webhook-app-rotate': {
    readonly stage: {
      /** The app, or use `client_id`. */
      readonly app_id?: number | string | null | undefined;
      /** Its client id. */
      readonly client_id?: string | undefined;
      /** Only an app of this account (`auth_id`). Without it: any app that was registered in the browser. */
      readonly owner?: number | string | null | undefined;
    };
    readonly results: WebhookAppRotateResults;
  };
  /** Finds apps, including suspended ones, with the web hooks that they receive. */
  readonly 'webhook-app-search': {
    readonly stage: {
      /** Only apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** Only this app. */
      readonly app_id?: number | string | undefined;
      /** Only the app with this client id. */
      readonly client_id?: string | undefined;
    };
    readonly results: {
      readonly rows: { app_id: number; client_id: string; name: string | null; title: string; webhook: string | null; hooks: string[]; pending: string[]; active: boolean; stopped: boolean; public: boolean; secret_version: number; }[];
    };
  };
  /** Calls a URL once through the address guard, without signature and retries. */
  readonly 'webhook-call': {
    readonly stage: {
      /** URL to call. */
      readonly url?: string | number | boolean | null | undefined;
      /** Name of the action; sent as `action`. */
      readonly action?: unknown;
      /** `post` (default), `put`, `get` or `delete`. */
      readonly method?: string | number | boolean | null | undefined;
      /** Sent as `data`. */
      readonly results?: unknown;
    };
    readonly results: {
      readonly status: number;
      readonly body: string;
      readonly milliseconds: number;
    };
  };
  /** Finds one delivery with its request, every attempt and the responses. */
  readonly 'webhook-delivery-detail': {
    readonly stage: {
      /** The delivery. */
      readonly delivery_id?: string | number | boolean | null | undefined;
      /** Only a delivery to an app of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** Only a delivery to this app. */
      readonly app_id?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly format: string;
      readonly payload: string | null;
      readonly attempt: unknown[];
      readonly [key: string]: unknown;
    };
  };
  /** Sends deliveries again with the same `webhook-id`, and enables their receivers. Test events only by id. */
  readonly 'webhook-delivery-replay': {
    readonly stage: {
      /** One delivery, in any state. */
      readonly delivery_id?: string | number | boolean | null | undefined;
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** Id of the receiving app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Client id of the receiving app. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** The receiver's URL. */
      readonly url?: string | number | boolean | null | undefined;
      /** Key of the receiver, from `webhook-receiver-search`. */
      readonly receiver?: string | number | boolean | null | undefined;
      /** Type of the event, such as `profile.created`. */
      readonly type?: string | number | boolean | null | undefined;
      /** Id of the event (`msg_…`). */
      readonly event_id?: string | number | boolean | null | undefined;
      /** From this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC. */
      readonly since?: string | number | boolean | null | undefined;
      /** Before this time, in the same form. */
      readonly until?: string | number | boolean | null | undefined;
      /** Only deliveries to the apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** States to include. Default `failed,disabled`; `any` for all. */
      readonly state?: string | number | boolean | null | readonly (string | number | boolean | null)[] | undefined;
      /** Only deliveries with a higher id: `next` of the previous answer. */
      readonly after?: string | number | boolean | null | undefined;
      /** 1 only counts them, by receiver. */
      readonly dry_run?: unknown;
    };
    readonly results: {
      readonly count: number;
      readonly next: number | null;
      readonly [key: string]: unknown;
    };
  };
  /** Lists the deliveries of the last 30 days, newest first. */
  readonly 'webhook-delivery-search': {
    readonly stage: {
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** Id of the receiving app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Client id of the receiving app. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** The receiver's URL. */
      readonly url?: string | number | boolean | null | undefined;
      /** Key of the receiver, from `webhook-receiver-search`. */
      readonly receiver?: string | number | boolean | null | undefined;
      /** Type of the event, such as `profile.created`. */
      readonly type?: string | number | boolean | null | undefined;
      /** Id of the event (`msg_…`). */
      readonly event_id?: string | number | boolean | null | undefined;
      /** From this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC. */
      readonly since?: string | number | boolean | null | undefined;
      /** Before this time, in the same form. */
      readonly until?: string | number | boolean | null | undefined;
      /** Only deliveries to the apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** `pending`, `delivered`, `failed` or `disabled`; separate several by commas. */
      readonly state?: string | number | boolean | null | readonly (string | number | boolean | null)[] | undefined;
      /** One delivery; its row then has the list `attempt`. */
      readonly delivery_id?: string | number | boolean | null | undefined;
      /** Only deliveries with a lower id: the next page. */
      readonly before?: string | number | boolean | null | undefined;
      /** Only deliveries with a higher id. */
      readonly after?: string | number | boolean | null | undefined;
      /** At most, 1 to 100. Default 50. */
      readonly limit?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly rows: ({ delivery_id: number | null; event_id: string | null; receiver: string | null; hook: string | null; url: string | null; client_id: string | null; state: 'pending' | 'delivered' | 'failed' | 'disabled'; attempts: number | null; attempts_before: number | null; next_at: number | null; status: number | null; error: string | null; created_at: number | null; settled_at: number | null; type: string | null; sequence: number | null; })[];
      readonly next: number | null;
      readonly [key: string]: unknown;
    };
  };
  /** Metrics of web hook delivery. */
  readonly 'webhook-figures': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: {
      readonly depth: number;
      readonly waiting: number;
      readonly under_way: number;
      readonly wait_seconds: number;
      readonly oldest_seconds: number;
      readonly attempts_hour: number;
      readonly failures_hour: number;
      readonly attempts_day: number;
      readonly failures_day: number;
      readonly receivers_failing: number;
      readonly receivers_disabled: number;
    };
  };
  /** Stops sending to a receiver. Its deliveries are kept for 30 days. */
  readonly 'webhook-receiver-disable': {
    readonly stage: {
      /** Key of one receiver. */
      readonly receiver?: string | number | boolean | null | undefined;
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** Its URL. */
      readonly url?: string | number | boolean | null | undefined;
      /** Id of the receiving app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Client id of the receiving app. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** Only apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** Reason for the log. Default `Disabled by hand.` */
      readonly reason?: string | undefined;
    };
    readonly results: {
      readonly receivers: number;
    };
  };
  /** Emitted when Treadle disables a failing receiver. Listen to it to notify the owner. */
  readonly 'webhook-receiver-disabled': {
    readonly stage: {
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** The receiving app's client id; null for the hook's own URL. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** Its URL. */
      readonly url?: string | number | boolean | null | undefined;
      /** The reason, as a sentence. */
      readonly reason?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly hook: string | null;
      readonly client_id: string | null;
      readonly reason: string | null;
    };
  };
  /** Enables a disabled receiver and sends what it missed. */
  readonly 'webhook-receiver-enable': {
    readonly stage: {
      /** Key of one receiver. */
      readonly receiver?: string | number | boolean | null | undefined;
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** Its URL. */
      readonly url?: string | number | boolean | null | undefined;
      /** Id of the receiving app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Client id of the receiving app. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** Only apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** 0 does not send what it missed. Default 1. */
      readonly catch_up?: string | number | boolean | null | undefined;
      /** Sends only what it missed from this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC. */
      readonly since?: string | number | boolean | null | undefined;
    };
    readonly results: {
      readonly receivers: number;
      readonly count: number;
      readonly skipped: { hook: string; url: string; client_id: string | null; count: number; reason: string; }[];
    };
  };
  /** Lists the receivers of web hooks with their state. */
  readonly 'webhook-receiver-search': {
    readonly stage: {
      /** Key of one receiver. */
      readonly receiver?: string | number | boolean | null | undefined;
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** Its URL. */
      readonly url?: string | number | boolean | null | undefined;
      /** Id of the receiving app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Client id of the receiving app. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** Only apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
      /** `enabled`, `failing`, `disabled`, `waiting` (for approval) or `unused` (never sent to). */
      readonly state?: string | number | boolean | null | undefined;
    };
    readonly results: AppRequestSearchResults;
  };
  /** Gives an app that was registered in the browser new signing secrets. Old and new both sign for 24 hours. */
  readonly 'webhook-secret-rotate': {
    readonly stage: {
      /** The app, or use `client_id`. */
      readonly app_id?: number | string | null | undefined;
      /** Its client id. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** Only an app of this account (`auth_id`). */
      readonly owner?: number | string | null | undefined;
    };
    readonly results: WebhookAppRotateResults;
  };
  /** Finds the apps that receive a web hook. If the hook needs approval, only approved apps. */
  readonly 'webhook-subscriber-search': {
    readonly stage: {
      /** Name of the web hook. */
      readonly hook: string;
      /** The profile that the event is about. A hook with the audience `user` goes to apps that this user granted access to such data, while the scope lasts, and to apps that this user owns. */
      readonly profile_id?: number | string | null | undefined;
      /** Only the app with this client id. */
      readonly client_id?: string | undefined;
    };
    readonly results: AppRequestSearchResults;
  };
  /** Fires a web hook with test data. The event id starts with `msg_test_`. It is sent once, and not to disabled receivers. */
  readonly 'webhook-test': {
    readonly stage: {
      /** Name of the web hook. */
      readonly hook?: string | number | boolean | null | undefined;
      /** Sent as `data`. Default: a sample row of the schema. */
      readonly data?: unknown;
      /** The user concerned, for a hook with the audience `user`. */
      readonly profile_id?: string | number | boolean | null | undefined;
      /** Only to this app. */
      readonly app_id?: string | number | boolean | null | undefined;
      /** Only to the app with this client id. */
      readonly client_id?: string | number | boolean | null | undefined;
      /** Only to this receiver. */
      readonly receiver?: string | number | boolean | null | undefined;
      /** Only to this URL. Default: everyone who would receive the real event. */
      readonly url?: string | number | boolean | null | undefined;
      /** Only to apps of this account (`auth_id`). */
      readonly owner?: number | string | undefined;
    };
    readonly results: {
      readonly event_id: string;
      readonly rows?: { delivery_id: number; receiver: string; url?: string; state: string; }[] | undefined;
    };
  };
  /** Wraps the content in a layout without navigation, such as for a dialog. */
  readonly 'www-render-blank': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: undefined;
  };
  /** Wraps the content in the site's layout. Treadle's own listener runs only if no other did it. */
  readonly 'www-render-page': {
    readonly stage: Readonly<Record<string, never>>;
    readonly results: undefined;
  };
}

interface AppRemoveResults {
  readonly app_id: number;
  readonly client_id: string;
}

interface AppRequestSearchResults {
  readonly rows: Record<string, unknown>[];
}

interface AppRestoreStage {
  /** The app, or use `client_id`. */
  readonly app_id?: number | string | null | undefined;
  /** Its client id. */
  readonly client_id?: string | undefined;
  /** Only an app of this account (`auth_id`). An owner cannot resume an app that an administrator suspended. */
  readonly owner?: number | string | null | undefined;
}

interface AppSandboxCreateStage {
  /** The app. */
  readonly app_id: number | string;
  /** The account that owns the app. */
  readonly owner?: number | string | null | undefined;
  /** `true`, set by code: an app of any owner. For operators. */
  readonly any?: boolean | undefined;
}

interface AuthCreateResults {
  readonly auth_id?: number | undefined;
  readonly auth_slug?: string | undefined;
  readonly auth_type?: string | undefined;
  readonly auth_active?: number | undefined;
  readonly auth_verified?: number | undefined;
  readonly auth_verify?: number | undefined;
  readonly auth_second_factor?: string | undefined;
  readonly auth_language?: string | undefined;
  readonly auth_created?: string | undefined;
  readonly auth_updated?: string | undefined;
  readonly profile_id?: number | undefined;
  readonly [key: string]: unknown;
}

interface AuthDeleteResults {
  readonly auth_id: number;
  readonly auth_slug: string;
  readonly auth_type: string;
  readonly auth_active: number;
  readonly auth_verified: number;
  readonly auth_verify: number;
  readonly auth_second_factor: string;
  readonly auth_language: string;
  readonly auth_created: string;
  readonly auth_updated: string;
  readonly profile_id: number;
  readonly [key: string]: unknown;
}

interface AuthDetailResults {
  readonly [key: string]: unknown;
}

interface AuthDeviceRemoveResults {
  readonly removed: number;
}

interface AuthForgotStage {
  /** E-mail address. */
  readonly auth_slug?: string | undefined;
}

interface AuthForgotResults {
  readonly auth_slug: string;
}

interface AuthForgotMailStage {
  /** The account, or use `auth_slug`. */
  readonly auth_id?: number | string | null | undefined;
  /** Its e-mail address. */
  readonly auth_slug?: string | undefined;
}

interface AuthPasskeyCreateResults {
  readonly auth_id: number;
  readonly auth_slug: string;
  readonly auth_type: string;
  readonly auth_active: number;
  readonly auth_verified: number;
  readonly auth_verify: number;
  readonly auth_second_factor: string;
  readonly auth_language: string;
  readonly auth_created: string;
  readonly auth_updated: string;
  readonly profile_id: number;
  readonly recovery_codes?: string[] | undefined;
  readonly [key: string]: unknown;
}

interface AuthSearchResults {
  readonly rows: Record<string, unknown>[];
  readonly total: number;
}

interface JobDetailStage {
  /** Id of the job. */
  readonly job_id: number | string;
}

interface SystemFieldsetCreateResults {
  readonly outcome: unknown;
  readonly [key: string]: unknown;
}

interface SystemFieldsetSearchStage {
  readonly filter?: { active?: string | number | boolean | null; } | undefined;
}

interface SystemFieldsetSearchResults {
  readonly rows: unknown[];
  readonly total: number;
}

interface SystemRelationLinkStage {
  /** Name of one schema. */
  readonly schema1: string;
  /** Name of the other. Either may declare the relation. */
  readonly schema2: string;
  /** Name of the relation, if the schemas have several. */
  readonly relation?: string | undefined;
  readonly [key: string]: unknown;
}

interface WebhookAppRotateResults {
  readonly app_id: number;
  readonly client_id: string;
  readonly secret_version: number;
}
