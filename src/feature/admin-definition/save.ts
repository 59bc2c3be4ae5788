import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isError, type Problem } from '../../core/errors.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Proposal, ProposedFile } from '../../edit/proposal.ts';
import type { Context, Services } from '../../plan/feature.ts';
import type { ReloadMigration } from '../../plan/reload-migration.ts';
import { writeTogether } from '../../project/write-together.ts';
import { forgetSave, noteSave } from './journal.ts';
import { findReachRefusal } from './reach.ts';
import { NO_PERMISSION, type Review, reviewProposal } from './review.ts';
import { findWriteRefusal } from './write-right.ts';

/** A save that somebody asks for. */
export interface SaveInput {
  readonly proposal: Proposal;
  /** What is saved, in words: the title in the list of saves. */
  readonly title: string;
  /** The file that a form edits, with the state that it had when the form was made: see {@link toState}. */
  readonly base?: { readonly file: string; readonly state: string } | undefined;
  /** Default: no loss. */
  readonly permissions?: ReloadMigration;
}

/** How a save ended. Only `saved` changed anything. */
export type SaveResult =
  | {
      readonly state: 'saved';
      readonly id: number;
      readonly files: readonly string[];
      readonly advice: readonly Problem[];
    }
  | { readonly state: 'unchanged' }
  /** This process or the viewer may not write these definitions. */
  | { readonly state: 'refused'; readonly message: string }
  /** The file changed on disk since the form was made. */
  | {
      readonly state: 'conflict';
      readonly file: string;
      readonly disk: string | undefined;
      readonly mine: string | undefined;
    }
  /** The migration needs a value or a permission, or the change is worth a second look. */
  | { readonly state: 'asks'; readonly review: Review }
  /** The definitions do not compile with the project's code; the files are as they were. */
  | { readonly state: 'broken'; readonly problems: readonly Problem[] };

/** Identifies a text of a file in a form; empty for a file that does not exist. */
export const toState = (text: string | undefined): string =>
  text === undefined ? '' : createHash('sha256').update(text).digest('base64url');

/** The text of a file of the project; undefined if it does not exist. */
export async function readText(root: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, file), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The last save, which may still run: one at a time in each application. */
const createSaving = (): { last: Promise<unknown> } => ({ last: Promise.resolve() });

function inTurn<T>({ memory }: Services, work: () => Promise<T>): Promise<T> {
  const saving = memory.get(createSaving);
  const next = saving.last.then(work, work);
  saving.last = next.catch(() => undefined);
  return next;
}

/**
 * Writes definitions that the admin section changed, and serves them: the one door for all kinds. It refuses where the
 * process may not write, finds conflicts with files that changed on disk, asks where data would be lost, keeps the
 * previous texts for an undo, and restores the files if the project does not compile with the new ones.
 */
export function saveProposal(context: Context, input: SaveInput): Promise<SaveResult> {
  return inTurn(context.services, () => saveNow(context, input));
}

/** Why these files may not be written: by this process or the viewer. Undefined if they may. */
export async function findSaveRefusal(context: Context, { files }: Proposal): Promise<string | undefined> {
  return (await findWriteRefusal(context)) ?? findReachRefusal(context, files);
}

async function findConflict(root: string, { proposal, base }: SaveInput): Promise<SaveResult | undefined> {
  const mine = (file: string): string | undefined => proposal.files.find((each) => each.file === file)?.text;
  if (base !== undefined) {
    const { file } = base;
    const disk = await readText(root, file);
    if (toState(disk) !== base.state) return { state: 'conflict', file, disk, mine: mine(file) };
  }
  for (const { file, before } of proposal.files) {
    const disk = await readText(root, file);
    if (disk !== before) return { state: 'conflict', file, disk, mine: mine(file) };
  }
  return undefined;
}

async function saveNow(context: Context, input: SaveInput): Promise<SaveResult> {
  const { services } = context;
  const { proposal, title, permissions = NO_PERMISSION } = input;
  const refusal = await findSaveRefusal(context, proposal);
  if (refusal !== undefined) return { state: 'refused', message: refusal };
  const early = await findConflict(services.root, input);
  if (early) return early;
  if (proposal.files.length === 0) return { state: 'unchanged' };
  const review = await reviewProposal(context, proposal, permissions);
  if (review.isBlocked) return { state: 'asks', review };
  // Looked at again, because the review took a while.
  const late = await findConflict(services.root, input);
  if (late) return late;
  const id = await noteSave(services, title, proposal.files);
  for (const { file, text } of proposal.files)
    await tellHistory(context, 'history-definition-expect', { file, after: text });
  try {
    await writeTogether(services.root, proposal.files);
  } catch (error) {
    await forgetSave(services, id);
    throw error;
  }
  const problems = await services.reload(permissions);
  const errors = problems.filter(isError);
  if (errors.length > 0 && (await restore(services, proposal.files))) {
    await forgetSave(services, id);
    return { state: 'broken', problems: errors };
  }
  for (const { file, before, text } of proposal.files)
    await tellHistory(context, 'history-definition', { file, before, after: text, title });
  return { state: 'saved', id, files: proposal.files.map(({ file }) => file), advice: problems };
}

/** Tells the history of a file that is saved. */
async function tellHistory(context: Context, event: string, stage: Row): Promise<void> {
  const request = new Request().setStage(stage);
  await context.emit(event, request, new Response(request));
}

/** Puts the files back, unless the project did not compile before either. True if it did. */
async function restore(services: Services, files: readonly ProposedFile[]): Promise<boolean> {
  await writeTogether(
    services.root,
    files.map(({ file, before }) => ({ file, text: before })),
  );
  const isMended = !(await services.reload()).some(isError);
  // The error is elsewhere: then the change is kept, as a command keeps it.
  if (!isMended) await writeTogether(services.root, files);
  return isMended;
}
