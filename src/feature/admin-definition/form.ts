import { translate } from '../../core/text/translate.ts';
import { findDefinitionOf } from '../../edit/proposal.ts';
import type { Crumb } from '../../page/admin-frame.ts';
import { type Exchange, flash, toHere } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import type { Context } from '../../plan/feature.ts';
import { findErrors, renderOutcome, toStatus } from './outcome.ts';
import { readText, toState } from './save.ts';
import { renderSaves } from './saves.ts';
import { type Outcome, readSubmission, type Submission } from './submit.ts';
import { findWriteRefusal } from './write-right.ts';

/** A page with a form for a definition. */
export interface FormPage {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** Template below `templates/admin/`, such as `definition/remove`. */
  readonly template: string;
  /** Data of the template, besides what {@link showForm} adds. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The file that the form writes. */
  readonly file?: string | undefined;
  /** True for a definition that does not exist yet: the form then has no state of a file. */
  readonly isNew?: boolean;
  /** Start of the kind's paths, such as `/admin/system/schema`: where the undo of its saves lies. */
  readonly base: string;
  /** Path of the entry in the navigation. Default: by the page's path. */
  readonly current?: string;
  /** How the last post of the form ended. Default: it was not posted. */
  readonly outcome?: Outcome | undefined;
  readonly scripts?: readonly string[];
}

/** What the form posted about saving; of a page that was not posted, nothing. */
const readPosted = ({ request }: Exchange): Submission =>
  readSubmission(request.isMethod('POST') ? (request.getPost() as Record<string, unknown>) : {});

/**
 * Shows a form. Its template gets, besides its own data: `csrf`; `state`, for a hidden input `base`; `outcome`, HTML that
 * belongs inside the form, above its buttons; `errors`, messages by path in the file; `refusal`, why nothing can be
 * saved here; `here`, the form's address; `saves`, HTML of the last changes, which belongs outside the form.
 */
export async function showForm(context: Context, exchange: Exchange, page: FormPage): Promise<void> {
  const { services } = context;
  const { title, crumbs, template, data, file, base, outcome, current, isNew = false, scripts = [] } = page;
  const submission = readPosted(exchange);
  const isThere = file !== undefined && !isNew;
  const state = submission.base ?? (isThere ? toState(await readText(services.root, file)) : '');
  const form = {
    ...data,
    here: toHere(exchange.request),
    state,
    refusal: await findWriteRefusal(context, file === undefined ? '' : findDefinitionOf(file)?.kind),
    errors: Object.fromEntries(file === undefined ? [] : findErrors(outcome, file)),
    outcome: renderOutcome(context, exchange, { outcome, submission }),
    saves: !isThere ? '' : await renderSaves(context, exchange, { base, accepts: (each) => each === file }),
  };
  exchange.response.setStatus(toStatus(outcome));
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: `admin/${template}`,
    data: form,
    crumbs,
    scripts: ['definition', ...scripts],
    ...(current === undefined ? {} : { current }),
  });
}

/**
 * After a save: shows what was written on the page that follows. True if the answer leads to another page: there, or to the
 * one that asks for the password.
 */
export function leaveSaved(exchange: Exchange, outcome: Outcome | undefined, path: string): boolean {
  if (outcome?.state === 'unproven') return true;
  if (outcome?.state !== 'saved') return false;
  const [first = '', ...more] = outcome.files;
  const files = [first, ...more].join(', ');
  flash(exchange, translate('Saved {files}. You can undo this below.', { files }));
  exchange.response.setRedirect(path);
  return true;
}
