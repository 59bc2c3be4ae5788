import { toSecretVersion } from '../../core/webhook-secret.ts';

/** The secret that a receiver knows: `version` derives it, `hook_version` is the hook's part of it. */
export interface KnownVersion {
  readonly version: number;
  readonly hook_version: number | null;
}

/** The version that the receiver's secret should have. */
export interface WantedVersion {
  readonly version: number;
  readonly hookVersion: number;
}

/**
 * The version of a receiver's secret by the current definitions. A process with an older plan does not
 * lower the hook's version; an app's may change either way.
 * @param hook The hook's `secretVersion`.
 * @param app The app's `secretVersion`; undefined if unknown, and for the hook's own URL.
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
