import { toLocalProblem, toLocalText, translate } from '../../core/text/translate.ts';
import type { Change } from '../../edit/api-change/change.ts';
import { toDiff } from '../../edit/diff.ts';
import type { ProposedFile } from '../../edit/proposal.ts';
import { type Exchange, toHere } from '../../page/exchange.ts';
import type { Context } from '../../plan/feature.ts';
import type { Review } from './review.ts';
import { toState } from './save.ts';
import type { Outcome, Submission } from './submit.ts';

/** Lines of a diff that a page shows. */
const MOST_LINES = 400;

const toLine = (line: string) => ({
  text: line,
  isAdded: line.startsWith('  + '),
  isRemoved: line.startsWith('  - '),
});

/** The lines of a diff from one text to another; all lines of a text without a counterpart. */
function toLines(before: string | undefined, after: string | undefined) {
  if (before !== undefined && after !== undefined) return toDiff(before, after, MOST_LINES).map(toLine);
  const mark = before === undefined ? '  + ' : '  - ';
  const text = before ?? after ?? '';
  return text
    .trimEnd()
    .split('\n')
    .map((line) => toLine(mark + line));
}

function toFile({ file, before, text }: ProposedFile) {
  const isRemoved = text === undefined;
  const change = isRemoved ? translate('removed') : before === undefined ? translate('new') : translate('changed');
  return { file, isRemoved, change, lines: toLines(before, text) };
}

function toLevel(level: Change['level']): string {
  if (level === 'breaking') return translate('breaks clients');
  return level === 'risky' ? translate('may break some') : translate('leaves clients working');
}

const MOST_CALLS = 3;

function toApi({ level, calls, message }: Change) {
  const shown = calls.slice(0, MOST_CALLS).join(', ');
  const count = calls.length - MOST_CALLS;
  const names = count > 0 ? translate('{calls} and {count} more', { calls: shown, count }) : shown;
  return { level, label: toLevel(level), calls: names, message: toLocalText(message) };
}

const toRows = (rows: number): string =>
  rows === 1 ? translate('1 row at risk') : translate('{count} rows at risk', { count: rows });

function toReview(review: Review, { permissions }: Submission) {
  return {
    files: review.files.map(toFile),
    steps: review.steps.map((step) => ({
      ...step,
      step: toLocalText(step.words),
      isKept: step.level === 'lose' && step.refusal !== undefined && !step.isNeeded,
      rowsAtRisk: toRows(step.rows),
      value: permissions.defaults.get(step.asks ?? ''),
    })),
    isLosing: review.isLosing,
    isAllowed: permissions.allowLoss,
    api: review.api.map(toApi),
    left: review.left,
  };
}

/** What a page shows of an outcome, besides the form with the values that were typed. */
function toData(exchange: Exchange, outcome: Outcome, submission: Submission) {
  switch (outcome.state) {
    case 'saved':
    case 'unproven':
      return {};
    case 'unchanged':
      return { tone: 'warning', message: translate('Nothing changed: the file already says this.') };
    case 'refused':
      return { tone: 'error', isBad: true, message: toLocalText(outcome.message) };
    case 'conflict': {
      const { file, disk, mine } = outcome;
      return {
        conflict: {
          file,
          disk,
          state: toState(disk),
          here: toHere(exchange.request),
          lines: toLines(disk ?? '', mine ?? ''),
        },
      };
    }
    case 'asks':
      return {
        tone: 'error',
        isBad: true,
        message: translate('The database cannot take this change yet. Answer what is asked below, and save again.'),
        review: toReview(outcome.review, submission),
      };
    case 'previewed':
      return { review: toReview(outcome.review, submission) };
    case 'broken':
    case 'invalid':
      return { problems: outcome.problems.map(toLocalProblem) };
  }
}

/**
 * The HTML of an outcome: problems, a conflict with both versions, or what saving would do. It belongs inside the form,
 * because it asks for values and permissions. Empty for no outcome.
 */
export function renderOutcome(
  { services }: Context,
  exchange: Exchange,
  { outcome, submission }: { readonly outcome: Outcome | undefined; readonly submission: Submission },
): string {
  if (outcome === undefined) return '';
  return services.views.render('admin', 'definition/outcome', toData(exchange, outcome, submission));
}

/** Messages of an outcome's problems in one file, by path, such as `fields[2].type`; for the errors beside controls. */
export function findErrors(outcome: Outcome | undefined, file: string): ReadonlyMap<string, string> {
  if (outcome?.state !== 'invalid' && outcome?.state !== 'broken') return new Map();
  const own = outcome.problems.filter((problem) => problem.file === file);
  return new Map(
    own.map(
      ({ path, message, hint }) => [path, [message, hint ?? ''].filter(Boolean).map(toLocalText).join(' ')] as const,
    ),
  );
}

/** HTTP status of a page that shows an outcome. */
export function toStatus(outcome: Outcome | undefined): number {
  switch (outcome?.state) {
    case 'conflict':
      return 409;
    case 'refused':
      return 403;
    case 'invalid':
    case 'broken':
    case 'asks':
      return 422;
    default:
      return 200;
  }
}
