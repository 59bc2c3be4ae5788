import { isError, type Problem } from '../../../core/errors.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toSizeText } from '../../../page/format.ts';
import type { Context } from '../../../plan/feature.ts';
import type { OverviewFacts } from './facts.ts';

/** Something that an operator should look at. */
export interface Attention {
  readonly tone: 'error' | 'warning' | 'info';
  readonly text: string;
  /** Page that helps; shown only to a person who may open it. */
  readonly path?: string;
  /** Text of the link to that page. */
  readonly label?: string;
  /** Single cases, below the text. */
  readonly list?: readonly string[];
  /** True if only who may open the page may read the text. */
  readonly isPrivate?: boolean;
}

/** Single cases that are listed. */
const LISTED = 10;
/** Bytes; below them a disk is nearly full. */
const LEAST_FREE = 500_000_000;
const BACKUP_MS = 7 * 86_400_000;

const toProblemLine = ({ file, path, message, hint }: Problem): string =>
  [`${[file, path].filter((part) => part !== '').join(' ')}: ${toLocalText(message)}`, toLocalText(hint ?? '')]
    .filter(Boolean)
    .join(' ');

function listProblems(problems: readonly Problem[]): Attention[] {
  const errors = problems.filter(isError);
  const advice = problems.filter((problem) => !isError(problem));
  const path = '/admin/migration';
  const isBehind = errors.some(({ code }) => code === 'DATABASE_BEHIND');
  const behind: Attention = {
    tone: 'error',
    text: translate('The database lacks what the definitions need. The version before is served.'),
    path,
    label: translate('Migrations'),
    list: errors.map(toProblemLine).slice(0, LISTED),
    isPrivate: true,
  };
  const broken: Attention = {
    ...behind,
    text: translate('The definitions have {count} errors. The version before is served.', { count: errors.length }),
    path: '/admin/system/schema/search',
    label: translate('Definitions'),
  };
  const advised: Attention = {
    tone: 'info',
    text: translate('Advice about the definitions: {count}.', { count: advice.length }),
    path: '/admin/system/schema/search',
    label: translate('Definitions'),
    list: advice.map(toProblemLine).slice(0, LISTED),
    isPrivate: true,
  };
  return [...(errors.length === 0 ? [] : [isBehind ? behind : broken]), ...(advice.length === 0 ? [] : [advised])];
}

function listHooks({ receivers, hooks }: OverviewFacts): Attention[] {
  const path = '/admin/delivery/search';
  const label = translate('Deliveries');
  const toNames = (state: string): string[] =>
    receivers
      .filter((row) => row.state === state)
      .map(({ hook, url, client_id: app }) => [hook, app ?? url].filter(Boolean).join(' → '));
  const [disabled, failing] = [toNames('disabled'), toNames('failing')];
  const { attempts_hour: attempts = 0, failures_hour: failures = 0 } = hooks;
  const found: Attention[] = [];
  if (disabled.length > 0) {
    const text = translate('Receivers of web hooks that are disabled: {count}. Nothing is sent to them.', {
      count: disabled.length,
    });
    found.push({ tone: 'error', text, path: `${path}?state=disabled`, label, list: disabled.slice(0, LISTED) });
  }
  if (failing.length > 0) {
    const text = translate('Receivers of web hooks that fail: {count}. After five days they are disabled.', {
      count: failing.length,
    });
    found.push({ tone: 'warning', text, path, label, list: failing.slice(0, LISTED) });
  } else if (failures > 0) {
    const text = translate('Of {attempts} attempts to send a web hook in the last hour {failures} failed.', {
      attempts,
      failures,
    });
    found.push({ tone: 'info', text, path: `${path}?state=failed`, label });
  }
  return found.map((one) => ({ ...one, isPrivate: true }));
}

function listApps({ pendingApps }: OverviewFacts): Attention[] {
  if (pendingApps.length === 0) return [];
  const list = pendingApps.slice(0, LISTED).map(({ title, pending, pending_hooks: hooks }) => {
    const names = [...(pending as string[]), ...(hooks as string[])];
    return `${title}: ${names.join(', ')}`;
  });
  return [
    {
      tone: 'warning',
      text: translate('Apps that wait for approval: {count}.', { count: pendingApps.length }),
      path: '/admin/system/model/app/search',
      label: translate('Apps'),
      list,
      isPrivate: true,
    },
  ];
}

function listJobs({ jobs }: OverviewFacts): Attention[] {
  const { failed = 0, unhandled = 0 } = jobs;
  const path = '/admin/job/search';
  const label = translate('Jobs');
  const found: Attention[] = [];
  if (failed > 0) {
    const text = translate('Jobs that were given up: {count}.', { count: failed });
    found.push({ tone: 'error', text, path: `${path}?state=failed`, label });
  }
  if (unhandled > 0) {
    const text = translate('Jobs for which the code has no handler: {count}.', { count: unhandled });
    found.push({ tone: 'warning', text, path: `${path}?state=unhandled`, label });
  }
  return found;
}

function listMail({ mails }: OverviewFacts, { services }: Context): Attention[] {
  const path = '/admin/mail/search';
  const label = translate('Mail');
  const { failed = 0, oldest_seconds: oldest = 0 } = mails;
  const found: Attention[] = [];
  if (services.operation.mailWay === 'none') {
    const text = translate('No mail can be sent: set MAIL_URL and MAIL_FROM.');
    found.push({ tone: 'warning', text, path, label });
  }
  if (failed > 0) {
    const text = translate('Mails that were given up in the last 24 hours: {count}.', { count: failed });
    found.push({ tone: 'error', text, path: `${path}?state=failed`, label });
  }
  if (oldest > 600) {
    const text = translate('The oldest waiting mail has waited for {minutes} minutes.', {
      minutes: Math.floor(oldest / 60),
    });
    found.push({ tone: 'warning', text, path: `${path}?state=waiting`, label });
  }
  return found;
}

function listStorage({ storage, traffic, backupAt, at }: OverviewFacts): Attention[] {
  const failed = traffic.minutes.reduce((sum, minute) => sum + minute.failed, 0);
  const found: Attention[] = [];
  if (failed > 0) {
    const text = translate('Requests of the last hour that failed: {count}.', { count: failed });
    found.push({ tone: 'error', text, path: '/admin/log?level=error', label: translate('Log') });
  }
  if (storage.free !== undefined && storage.free < LEAST_FREE) {
    const text = translate('The disk has only {size} left.', { size: toSizeText(storage.free) });
    found.push({ tone: 'error', text });
  }
  if (backupAt === undefined || at - backupAt > BACKUP_MS) {
    const text = translate('No backup was made here in the last seven days.');
    found.push({ tone: 'info', text, path: '/admin/backup', label: translate('Backups'), isPrivate: true });
  }
  return found;
}

/** A server renews them by itself; here it could not, or the rows were written by other programs. */
function listStatistics({ statistics: { outdated } }: OverviewFacts): Attention[] {
  if (outdated.length === 0) return [];
  const tables = outdated.slice(0, LISTED).map(({ table }) => table);
  return [
    {
      tone: 'warning',
      text: translate(
        'The statistics of the query planner are out of date, so that searches may read far too many rows: {tables}. Renew them with "treadle migrate".',
        { tables: tables.join(', ') },
      ),
      path: '/admin/log?q=statistics-failed',
      label: translate('Log'),
      isPrivate: true,
    },
  ];
}

/** Refusals may be meant so, but nothing else reports pages that miss rows. */
function listRefusals({ refusals }: OverviewFacts): Attention[] {
  if (refusals.length === 0) return [];
  const what = refusals.slice(0, 3).map(({ schema, action }) => `${schema}: ${action}`);
  const count = refusals.reduce((sum, each) => sum + each.count, 0);
  return [
    {
      tone: 'warning',
      text: translate('Refused by roles in the last hour: {count}, {what}', { count, what: what.join('; ') }),
      path: '/admin/log?q=refused-by-roles',
      label: translate('Log'),
      list:
        refusals.length < 2
          ? []
          : refusals.slice(0, LISTED).map((each) => `${each.schema}: ${each.action}: ${each.count}`),
      isPrivate: true,
    },
  ];
}

const RANK = { error: 0, warning: 1, info: 2 } as const;

/** What wants attention, the most urgent first, of whatever the person may open. */
export function listAttention(
  context: Context,
  facts: OverviewFacts,
  mayOpen: (path: string) => boolean,
): readonly Attention[] {
  const all = [
    ...listProblems(context.services.operation.problems()),
    ...listHooks(facts),
    ...listApps(facts),
    ...listJobs(facts),
    ...listMail(facts, context),
    ...listStorage(facts),
    ...listStatistics(facts),
    ...listRefusals(facts),
  ];
  return all
    .flatMap(({ path, label, ...rest }): Attention[] => {
      const isOpen = path === undefined || mayOpen(path.split('?')[0] ?? path);
      if (!isOpen && rest.isPrivate === true) return [];
      return [isOpen && path !== undefined && label !== undefined ? { ...rest, path, label } : rest];
    })
    .sort((a, b) => RANK[a.tone] - RANK[b.tone]);
}
