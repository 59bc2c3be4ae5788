import { toLocalText, translate } from '../../core/translate.ts';
import type { Model } from '../../model/model.ts';

export interface NavigationEntry {
  readonly label: string;
  readonly path: string;
  /** Start of the paths of its pages. Default: its path. */
  readonly base?: string;
  readonly isCurrent?: boolean;
}

export interface NavigationGroup {
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
}

const MODEL = '/admin/system/model';

/** Kinds of definitions whose pages lie beside the project's schemas, with their titles. */
const KINDS: readonly (readonly [string, string])[] = [
  ['rest', 'REST calls'],
  ['scope', 'Scopes'],
  ['webhook', 'Web hooks'],
  ['app', 'Apps'],
  ['role', 'Roles'],
];

/** An entry for the search page of a schema or of a kind of definition. */
const toEntry = (base: string, label: string): NavigationEntry => ({ label, path: `${base}/search`, base });

/** All entries of the admin section's navigation, for whoever may open everything. */
export function listNavigation(model: Model): NavigationGroup[] {
  const schemas = [...model.schemas.values()].sort((a, b) => a.plural.localeCompare(b.plural));
  return [
    {
      label: '',
      entries: [
        { label: translate('Overview'), path: '/admin' },
        toEntry('/admin/user', translate('People')),
        { label: translate('History'), path: '/admin/history' },
      ],
    },
    {
      label: translate('Data'),
      entries: schemas.map(({ name, plural }) => toEntry(`${MODEL}/${name}`, toLocalText(plural))),
    },
    {
      label: translate('Definitions'),
      entries: [
        toEntry('/admin/system/schema', translate('Schemas')),
        toEntry('/admin/system/fieldset', translate('Field sets')),
        ...KINDS.map(([kind, title]) => toEntry(`${MODEL}/${kind}`, translate(title))),
        { label: translate('Settings'), path: '/admin/system/settings' },
      ],
    },
    {
      label: translate('Operation'),
      entries: [
        toEntry('/admin/delivery', translate('Deliveries')),
        toEntry('/admin/session', translate('Sessions of apps')),
        toEntry('/admin/job', translate('Jobs')),
        toEntry('/admin/mail', translate('Mail')),
        { label: translate('Migrations'), path: '/admin/migration' },
        { label: translate('Backups'), path: '/admin/backup' },
        { label: translate('Log'), path: '/admin/log' },
      ],
    },
  ];
}
