import type { Row } from '../database/row-statement.ts';

/** Pages of one app in the developer section, from any feature: `/developer/app/<tab>/<app id>`. */
const TABS = [
  ['detail', 'Overview'],
  ['try', 'Try it'],
  ['request', 'Requests'],
  ['session', 'Sessions'],
  ['webhook', 'Web hooks'],
  ['update', 'Settings'],
] as const;
export type Tab = (typeof TABS)[number][0];

/** The facts that the head of an app's pages shows. */
export interface HeadedApp {
  readonly appId: number;
  readonly title: string;
  readonly clientId: string;
  /** Name of its definition file; undefined for an app registered in the browser. */
  readonly name: string | undefined;
  readonly isActive: boolean;
  /** True if its owner suspended it, and may resume it. */
  readonly isStopped: boolean;
  readonly isPublic: boolean;
}

/** The head of every page of an app: title, state and tabs. */
export const toAppHead = ({ name, ...app }: HeadedApp, tab: Tab): Row => ({
  ...app,
  // The name that the commands take.
  name: name ?? app.clientId,
  file: name === undefined ? undefined : `config/app/${name}.json`,
  tabs: TABS.map(([path, label]) => ({
    href: `/developer/app/${path}/${app.appId}`,
    label,
    isCurrent: path === tab,
  })),
});
