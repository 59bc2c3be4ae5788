import { translate } from '../../core/text/translate.ts';
import { findDefinitionOf } from '../../edit/proposal.ts';
import { parseDefinition } from '../../model/parse.ts';
import type { DefinitionKind } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';
import { findSave, listSaves, type SaveNote } from './journal.ts';
import { readText, type SaveResult, saveProposal } from './save.ts';

/** A save as a page lists it. */
export interface ListedSave extends SaveNote {
  /** True if every file is still as the save wrote it. */
  readonly isUndoable: boolean;
}

/** True if the files are unchanged since the save. */
async function isUntouched({ services }: Context, { files }: SaveNote): Promise<boolean> {
  for (const { file, text } of files) if ((await readText(services.root, file)) !== text) return false;
  return true;
}

/** Saves of a list. */
const MOST_LISTED = 5;

/**
 * The newest saves that wrote one of the files that a test accepts, newest first.
 */
export async function listSavesOf(context: Context, accepts: (file: string) => boolean): Promise<ListedSave[]> {
  const saves = (await listSaves(context.services)).filter(({ files }) => files.some(({ file }) => accepts(file)));
  return Promise.all(
    saves.slice(0, MOST_LISTED).map(async (save) => ({ ...save, isUndoable: await isUntouched(context, save) })),
  );
}

/** Puts back the texts before a save. It is a save itself, and can be undone. Refused if a file changed since. */
export async function undoSave(context: Context, id: number): Promise<SaveResult | undefined> {
  const save = await findSave(context.services, id);
  if (save === undefined) return undefined;
  if (!(await isUntouched(context, save))) {
    const [first] = save.files;
    const file = first?.file ?? '';
    return { state: 'conflict', file, disk: await readText(context.services.root, file), mine: first?.before };
  }
  const files = save.files.map(({ file, before, text }) => ({ file, before: text, text: before }));
  const title = translate('Undid: {title}', { title: save.title });
  return saveProposal(context, { proposal: { files, left: [] }, title });
}

/** A definition that the admin section removed, and whose file does not exist. */
export interface RemovedDefinition {
  readonly name: string;
  readonly value: object;
  /** The text that its file had. */
  readonly text: string;
  /** Unix seconds of the removal. */
  readonly removedAt: number;
}

/** Definitions of a kind that the admin section removed, the last removed first. */
export async function listRemoved({ services }: Context, kind: DefinitionKind): Promise<RemovedDefinition[]> {
  const found = new Map<string, RemovedDefinition>();
  for (const { files, savedAt } of await listSaves(services)) {
    for (const { file, before, text } of files) {
      const place = findDefinitionOf(file);
      if (place?.kind !== kind || text !== undefined || before === undefined || found.has(place.name)) continue;
      if ((await readText(services.root, file)) !== undefined) continue;
      const { source } = parseDefinition(kind, file, before);
      if (source !== undefined)
        found.set(place.name, { name: place.name, value: source.value, text: before, removedAt: savedAt });
    }
  }
  return [...found.values()];
}
