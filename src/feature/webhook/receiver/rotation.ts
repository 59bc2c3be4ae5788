import { toSecretVersion } from '../../../core/secret/webhook-secret.ts';

/** Both secrets sign for this long after a rotation was saved. */
const DUAL_SECONDS = 86_400;

/** The secret versions in a receiver's row. */
export interface KnownVersions {
  readonly version: number;
  /** The hook's part of `version`. */
  readonly hook_version: number | null;
  readonly previous_version: number | null;
  /** Unix seconds of the last rotation. */
  readonly rotated_at: number | null;
}

interface SecretVersions {
  /** The hook's `secretVersion`. */
  readonly hook: number;
  /** The app's `secretVersion`; undefined if unknown, and for the hook's own URL. */
  readonly app: number | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * The versions that a receiver's secret should have by the current definitions: a higher one is a rotation
 * that begins now. A process with an older plan does not lower the hook's version; an app's may change
 * either way.
 */
export function toCurrentVersions<T extends KnownVersions>(known: T, { hook, app, now }: SecretVersions): T {
  const version = Number(known.version);
  const before = Number(known.hook_version ?? version);
  const hookVersion = Math.max(before, hook);
  const wanted = app === undefined ? version + hookVersion - before : toSecretVersion(hookVersion, app);
  if (wanted === version) return known;
  return { ...known, version: wanted, hook_version: hookVersion, previous_version: version, rotated_at: now };
}

/**
 * The versions that sign: the newest, the one before it for a day after a rotation, and the one of this
 * plan, which is older if another process rotated or the definition was reverted.
 * @param hook The `secretVersion` of this plan's hook.
 * @param now Unix seconds.
 */
export function listSigning(known: KnownVersions, hook: number, now: number): number[] {
  const version = Number(known.version);
  const versions = [version + hook - Number(known.hook_version ?? version), version];
  const isRecent = known.rotated_at !== null && now - Number(known.rotated_at) < DUAL_SECONDS;
  if (isRecent && known.previous_version !== null) versions.push(Number(known.previous_version));
  return [...new Set(versions)];
}
