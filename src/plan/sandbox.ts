import type { AppModel, Model } from '../model/model.ts';

/** An app of a definition file as a sandbox has it. */
const withoutReceiver = ({ definition: { webhook: _url, ...definition }, ...app }: AppModel): AppModel => ({
  ...app,
  definition,
});

/**
 * The model of a sandbox: it calls no address that the site's apps name, and leads who logs in to the docs, because it has none of
 * the site's pages.
 */
export const toSandboxModel = (model: Model): Model => ({
  ...model,
  settings: { ...model.settings, home: '/developer/docs' },
  apps: new Map([...model.apps].map(([name, app]) => [name, withoutReceiver(app)])),
});

/** What an app's sandbox is made from: the app as it is registered. */
export interface SandboxApp {
  readonly title: string;
  readonly website: string | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly webhook: string | undefined;
  readonly hooks: readonly string[];
  readonly isPublic: boolean;
  /** Scopes that need the operator's approval and have it, as web hooks. */
  readonly approved: readonly string[];
  readonly approvedHooks: readonly string[];
}

/** An account of a sandbox that stands for a user of the app. */
export interface SandboxPerson {
  readonly email: string;
  readonly password: string;
}

/** How an app reaches its new sandbox. Secrets and passwords are known only here, once. */
export interface SandboxCredentials {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly webhook_secrets?: unknown;
  readonly people: SandboxPerson[];
}

/**
 * Sandboxes: the same project a second time, with rows, accounts, tokens and web hooks of its own, for an app that is being built. Each
 * is a SQLite database below `var/sandbox` and answers below `/sandbox/<name>`.
 */
export interface Sandboxes {
  /** Public address of a sandbox, without a final slash. */
  address(name: string): string;
  /**
   * Makes a sandbox with two accounts and the app in it.
   *
   * @param name 22 characters that nobody guesses: {@link isSandboxName}.
   */
  create(name: string, app: SandboxApp): Promise<SandboxCredentials>;
  /** Whether its data is on this machine. */
  exists(name: string): boolean;
  /** Ends a sandbox and deletes all of its data. */
  remove(name: string): Promise<void>;
}

const NAME = /^[a-z0-9]{22}$/;

/** Whether a text may name a sandbox; it becomes a folder and a part of addresses. */
export const isSandboxName = (text: string): boolean => NAME.test(text);
