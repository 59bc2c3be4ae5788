import { translate } from '../../../core/translate.ts';
import type { Row } from '../../../database/database.ts';
import type { Proposal } from '../../../edit/proposal.ts';
import type { Context } from '../../../plan/feature.ts';
import { mayChangeFiles } from '../definition/access.ts';
import { findSaveRefusal, type SaveResult, saveProposal } from '../definition/save.ts';
import { toActionText } from './words.ts';

interface FileChange {
  readonly file: string;
  readonly before?: string;
  readonly after?: string;
}

/** The file of an entry of a definition, as it was before and after the change; undefined if it has none. */
function findFile({ kind, changes }: Row): FileChange | undefined {
  const [file, pair] = Object.entries(changes as Readonly<Record<string, readonly unknown[]>>)[0] ?? [];
  if (kind !== 'definition' || file === undefined || pair?.length !== 2) return undefined;
  const [before, after] = pair;
  return {
    file,
    ...(typeof before === 'string' ? { before } : {}),
    ...(typeof after === 'string' ? { after } : {}),
  };
}

const toProposal = ({ file, before, after }: FileChange): Proposal => ({
  files: [{ file, before: after, text: before }],
  left: [],
});

/** Whether this process may put back the file of an entry, and the person who asks may change it. */
export async function mayPutBack(context: Context, entry: Row): Promise<boolean> {
  const found = findFile(entry);
  return (
    found !== undefined && mayChangeFiles(context, [found.file]) && !(await findSaveRefusal(context, toProposal(found)))
  );
}

function toFault(result: SaveResult, file: string): string | undefined {
  if (result.state === 'saved' || result.state === 'unchanged') return undefined;
  if (result.state === 'refused') return result.message;
  if (result.state === 'conflict') return translate('{file} changed since, so this save cannot be undone.', { file });
  if (result.state === 'broken') return result.problems[0]?.message ?? translate('It failed.');
  return translate('The database would lose data, or needs a value: change {file} on its own page.', { file });
}

/** Puts the file of an entry back as it was before the change. Gives why it could not. */
export async function putBack(context: Context, entry: Row): Promise<string | undefined> {
  const found = findFile(entry);
  if (found === undefined || !mayChangeFiles(context, [found.file]))
    return translate('Your account may not open this.');
  const { file } = found;
  const title = translate('Undid: {title}', { title: `${toActionText(entry.action)} ${file}` });
  return toFault(await saveProposal(context, { proposal: toProposal(found), title }), file);
}
