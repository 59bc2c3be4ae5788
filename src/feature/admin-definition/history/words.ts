import { translate } from '../../../core/text/translate.ts';

/** What happened, in a word or two. */
export function toActionText(action: unknown): string {
  const words: Readonly<Record<string, string>> = {
    create: translate('Created'),
    update: translate('Changed'),
    remove: translate('Removed'),
    restore: translate('Restored'),
    link: translate('Linked'),
    unlink: translate('Unlinked'),
    import: translate('Imported'),
  };
  return words[String(action)] ?? String(action);
}

/** How a change came in. */
export function toDoorText(door: unknown): string {
  const words: Readonly<Record<string, string>> = {
    page: translate('Page'),
    admin: translate('Admin'),
    rest: translate('REST call'),
    command: translate('Command'),
    job: translate('Job'),
    file: translate('File'),
    system: translate('System'),
  };
  return words[String(door)] ?? String(door);
}

export const ACTIONS = ['create', 'update', 'remove', 'restore', 'link', 'unlink', 'import'] as const;
export const DOORS = ['page', 'admin', 'rest', 'command', 'job', 'file', 'system'] as const;
