import { toSecretVersion } from '../../core/webhook-secret.ts';

/** Which secret a receiver is known to have: `version` is what it is made from, `hook_version` the hook's part of it. */
export interface KnownVersion {
  readonly version: number;
  readonly hook_version: number | null;
}

/** What a receiver's secret is to be made from now. */
export interface WantedVersion {
  readonly version: number;
  readonly hookVersion: number;
}

/**
 * The version of a receiver's secret by what is defined now. A process with an older plan does not take the hook's
 * version back; an app's may go either way.
 *
 * @param hook The hook's `secretVersion`.
 * @param app The app's; undefined where it is not known, and for the hook's own URL.
 */
export function toWantedVersion(known: KnownVersion, hook: number, app: number | undefined): WantedVersion {
  const version = Number(known.version);
  const before = Number(known.hook_version ?? version);
  const hookVersion = Math.max(before, hook);
  return {
    hookVersion,
    version: app === undefined ? version + hookVersion - before : toSecretVersion(hookVersion, app),
  };
}
