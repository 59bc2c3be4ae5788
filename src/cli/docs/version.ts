import type { Change } from '../../edit/api-change/change.ts';

type Numbers = readonly [major: number, minor: number, patch: number];

function readNumbers(version: string | undefined): Numbers | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function raise([major, minor, patch]: Numbers, changes: readonly Change[]): Numbers {
  const breaks = changes.some(({ level }) => level === 'breaking');
  // Below 1.0.0 the second number tells of what breaks, as "^0.1.0" of package managers has it.
  if (breaks) return major === 0 ? [0, minor + 1, 0] : [major + 1, 0, 0];
  return major > 0 && changes.some(({ level }) => level === 'additive')
    ? [major, minor + 1, 0]
    : [major, minor, patch + 1];
}

/**
 * The version that these changes ask for: a new major one if something breaks clients, a minor one if something was
 * added, else a patch. Below 1.0.0 a minor one for what breaks, else a patch.
 *
 * @param before The version before them. @returns Undefined without such a version, `before` without changes.
 * @see https://semver.org
 */
export function findNextVersion(before: string | undefined, changes: readonly Change[]): string | undefined {
  const numbers = readNumbers(before);
  if (numbers === undefined || changes.length === 0) return numbers?.join('.');
  return raise(numbers, changes).join('.');
}

/** True if a version is at least another one; both without what follows their numbers. */
export function isRaised(version: string | undefined, least: string): boolean {
  const [has, needs] = [readNumbers(version), readNumbers(least)];
  if (has === undefined || needs === undefined) return false;
  const at = has.findIndex((number, index) => number !== needs[index]);
  return at === -1 || (has[at] ?? 0) > (needs[at] ?? 0);
}
