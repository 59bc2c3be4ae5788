import { toLocalText, translate } from '../core/text/translate.ts';
import { findIcon } from '../model/icon.ts';
import type { Model } from '../model/model.ts';

export interface NavigationEntry {
  readonly label: string;
  readonly path: string;
  /** HTML of its icon. */
  readonly icon?: string | undefined;
  /** Start of the paths of its pages. Default: its path. */
  readonly base?: string;
  readonly isCurrent?: boolean;
}

export interface NavigationGroup {
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
}

const MODEL = '/admin/system/model';
/** Icon of a schema without a known one. */
const USUAL_ICON = 'table-2';

/** Kinds of definitions whose pages lie beside the project's schemas, with their titles and icons. */
const KINDS: readonly (readonly [string, string, string])[] = [
  ['rest', 'REST calls', 'braces'],
  ['scope', 'Scopes', 'shield-check'],
  ['webhook', 'Web hooks', 'webhook'],
  ['app', 'Apps', 'app-window'],
  ['role', 'Roles', 'key-round'],
];

/** An entry for the search page of a schema or of a kind of definition. */
const toEntry = (base: string, label: string, icon: string): NavigationEntry => ({
  ...toPage(`${base}/search`, label, icon),
  base,
});

const toPage = (path: string, label: string, icon: string): NavigationEntry => ({
  label,
  path,
  icon: findIcon(icon) ?? findIcon(USUAL_ICON),
});

/** All entries of the admin section's navigation, for whoever may open everything. */
export function listNavigation(model: Model): NavigationGroup[] {
  const schemas = [...model.schemas.values()].sort((a, b) => a.plural.localeCompare(b.plural));
  return [
    {
      label: '',
      entries: [
        toPage('/admin', translate('Overview'), 'layout-dashboard'),
        toEntry('/admin/user', translate('People'), 'users'),
        toPage('/admin/history', translate('History'), 'history'),
      ],
    },
    {
      label: translate('Data'),
      entries: schemas.map(({ name, plural, icon }) =>
        toEntry(`${MODEL}/${name}`, toLocalText(plural), icon ?? USUAL_ICON),
      ),
    },
    {
      label: translate('Definitions'),
      entries: [
        toEntry('/admin/system/schema', translate('Schemas'), 'database'),
        toEntry('/admin/system/fieldset', translate('Field sets'), 'layers'),
        ...KINDS.map(([kind, title, icon]) => toEntry(`${MODEL}/${kind}`, translate(title), icon)),
        toPage('/admin/system/settings', translate('Settings'), 'settings'),
      ],
    },
    {
      label: translate('Operation'),
      entries: [
        toEntry('/admin/delivery', translate('Deliveries'), 'send'),
        toEntry('/admin/session', translate('Sessions of apps'), 'plug'),
        toEntry('/admin/job', translate('Jobs'), 'timer'),
        toEntry('/admin/mail', translate('Mail'), 'mail'),
        toPage('/admin/migration', translate('Migrations'), 'database-zap'),
        toPage('/admin/backup', translate('Backups'), 'archive'),
        toPage('/admin/slow', translate('Slow searches'), 'gauge'),
        toPage('/admin/log', translate('Log'), 'scroll-text'),
      ],
    },
  ];
}
