import { translate } from '../../core/text/translate.ts';

type Names = readonly (readonly [RegExp, string])[];

/** The first that fits: browsers name those that they descend from. */
const BROWSERS: Names = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: Names = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const find = (names: Names, agent: string): string | undefined => names.find(([pattern]) => pattern.test(agent))?.[1];

/** A browser for people, such as `Firefox on Linux`, from its `User-Agent` header. */
export function toBrowserName(agent: string): string {
  const browser = find(BROWSERS, agent) ?? translate('Unknown browser');
  const system = find(SYSTEMS, agent);
  return system === undefined ? browser : translate('{browser} on {system}', { browser, system });
}
