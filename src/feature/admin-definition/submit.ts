import { requireProof } from '../../access/proof.ts';
import { type Problem, ProblemsError } from '../../core/errors.ts';
import type { Change } from '../../edit/change.ts';
import { type Proposal, proposeChanges } from '../../edit/proposal.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { Exchange } from '../../page/exchange.ts';
import type { Context } from '../../plan/feature.ts';
import type { ReloadMigration } from '../../plan/reload-migration.ts';
import { toEditedProject } from './edited.ts';
import { type Review, reviewProposal } from './review.ts';
import { findSaveRefusal, type SaveResult, saveProposal } from './save.ts';

/** How a form ended: saved, or shown again with the reason. */
export type Outcome =
  | SaveResult
  /** The definitions would have new errors; nothing was written. */
  | { readonly state: 'invalid'; readonly problems: readonly Problem[] }
  /** What saving would mean; nothing was written. */
  | { readonly state: 'previewed'; readonly review: Review }
  /** The password is asked for first: the form waits, and the answer leads to the page that asks. Nothing was written. */
  | { readonly state: 'unproven' };

/** The values that every form of definitions posts besides its own. */
export interface Submission {
  /** True to show what saving would mean, and to write nothing. */
  readonly isPreview: boolean;
  /** State of the file when the form was made: see `toState`. Absent: not compared. */
  readonly base: string | undefined;
  readonly permissions: ReloadMigration;
}

/** True if a form or a stage says yes. */
export const isTicked = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'on';

/** Reads what a form, or the stage of an event, says about saving: `do`, `base`, `allow_loss`, `defaults`. */
export function readSubmission(posted: Readonly<Record<string, unknown>>): Submission {
  // "Save mine over it", with the state of the file that was shown.
  const over = typeof posted.over === 'string' ? posted.over : undefined;
  const defaults = isRecord(posted.defaults) ? Object.entries(posted.defaults) : [];
  return {
    isPreview: posted.do === 'preview' && over === undefined,
    base: over ?? (typeof posted.base === 'string' ? posted.base : undefined),
    permissions: {
      allowLoss: isTicked(posted.allow_loss),
      defaults: new Map(
        defaults.flatMap(([name, text]) => (typeof text === 'string' && text !== '' ? [[name, text] as const] : [])),
      ),
    },
  };
}

/** A form that saves. */
export interface SavingForm extends Exchange {
  /** Page that the form is on, for somebody who does not give the password. Default: the path that it was posted to. */
  readonly home?: string;
}

/** Longest form of a definition that waits for the password, as JSON: longer than any body that a server takes. */
const MOST_STORED = 64 * 1024 * 1024;

/**
 * Asks for the password again before definitions are written, unless it was given in the last ten minutes. The whole form
 * waits, and is sent afterwards.
 *
 * @returns false if the request must stop; the answer then leads to the page that asks.
 */
export const requireSaveProof = (context: Context, { home, ...exchange }: SavingForm): boolean =>
  requireProof(context, exchange, home, MOST_STORED);

export interface SubmitInput {
  /** The form that asks. `event`: code emits an event, and has asked what there is to ask. */
  readonly by: SavingForm | 'event';
  readonly submission: Submission;
  /** What is saved, in words, such as "Changed the schema article". */
  readonly title: string;
  /** The file that the form edits; its state is compared with the form's. Absent: not compared. */
  readonly file?: string;
  /** Makes the proposal. A `ProblemsError` is the outcome `invalid`. */
  readonly propose: () => Promise<Proposal>;
}

/** Previews or saves what a form proposes. Writes nothing unless the outcome is `saved`. */
export async function submit(context: Context, input: SubmitInput): Promise<Outcome> {
  const { submission, title, file, propose, by } = input;
  const { isPreview, base, permissions } = submission;
  try {
    const proposal = await propose();
    if (isPreview) return { state: 'previewed', review: await reviewProposal(context, proposal, permissions) };
    const refusal = await findSaveRefusal(context, proposal);
    if (refusal !== undefined) return { state: 'refused', message: refusal };
    const isChanging = proposal.files.length > 0;
    if (by !== 'event' && isChanging && !requireSaveProof(context, by)) return { state: 'unproven' };
    const compared = file === undefined || base === undefined ? undefined : { file, state: base };
    return await saveProposal(context, { proposal, title, base: compared, permissions });
  } catch (error) {
    if (error instanceof ProblemsError) return { state: 'invalid', problems: error.problems };
    throw error;
  }
}

/** A proposal of new values; for {@link SubmitInput}. */
export const proposeValues = (context: Context, changes: readonly Change[]): Promise<Proposal> =>
  proposeChanges(toEditedProject(context.services), changes);
