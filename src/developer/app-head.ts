import type { Row } from '../database/database.ts';

/** Pages of one app in the developer section, whichever feature serves them: `/developer/app/<tab>/<app id>`. */
const TABS = [
  ['detail', 'Overview'],
  ['try', 'Try it'],
  ['session', 'Sessions'],
  ['webhook', 'Web hooks'],
  ['update', 'Settings'],
] as const;
export type Tab = (typeof TABS)[number][0];

/** What the head of an app's pages tells of it. */
export interface HeadedApp {
  readonly appId: number;
  readonly title: string;
  readonly clientId: string;
  /** Name of its definition file; undefined where it was registered in the browser. */
  readonly name: string | undefined;
  readonly isActive: boolean;
  /** Whether its owner stopped it, and may let it work again. */
  readonly isStopped: boolean;
  readonly isPublic: boolean;
}

/** What every page of one app has above its own part: title, state and the other pages. */
export const toAppHead = ({ name, ...app }: HeadedApp, tab: Tab): Row => ({
  ...app,
  // As the commands take it.
  name: name ?? app.clientId,
  file: name === undefined ? undefined : `config/app/${name}.json`,
  tabs: TABS.map(([path, label]) => ({
    href: `/developer/app/${path}/${app.appId}`,
    label,
    isCurrent: path === tab,
  })),
});
