import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TreadleError } from '../core/errors.ts';
import { type Definitions, withSource } from '../model/definitions.ts';
import { parseDefinition, type Source } from '../model/parse.ts';
import { DEFINITION_KINDS, type DefinitionKind, type DefinitionOf, type FileKind } from '../model/shape.ts';
import type { LeftText } from '../project/rename/rename-texts.ts';
import { getFile } from '../project/write.ts';
import { judgeFiles } from './advice.ts';
import { type Change, type ChangedFile, previewChanges } from './change.ts';
import type { EditedProject } from './project.ts';
import { applyRemoval, type Removal } from './removal.ts';
import { applyRename, type RenameInput } from './rename.ts';

/** A file as it is, and as it shall be. */
export interface ProposedFile {
  /** Path from the project's root. */
  readonly file: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  /** Undefined for a file that is removed. */
  readonly text: string | undefined;
}

/** Texts of files that a change of definitions writes; nothing is written yet. */
export interface Proposal {
  /** Only files that change. */
  readonly files: readonly ProposedFile[];
  /** Lines of code and templates that still name what was renamed or removed. */
  readonly left: readonly LeftText[];
}

const asDry = (project: EditedProject): EditedProject => ({
  root: () => project.root(),
  env: project.env,
  compile: (root) => project.compile(root),
  isDryRun: true,
});

/** The text on disk, also of a file that could not be parsed. */
function readText(root: string, file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

const toProposed = (project: EditedProject, files: readonly ChangedFile[]): ProposedFile[] =>
  files.map(({ file, text }) => ({ file, before: readText(project.root(), file), text })).filter(isChanged);

const isChanged = ({ before, text }: ProposedFile): boolean => before !== text;

/**
 * Proposes new values for definitions, as `applyChanges` would write them. Web hooks are judged as by `applyJudged`.
 *
 * @throws ProblemsError if the change breaks a definition.
 */
export async function proposeChanges(project: EditedProject, changes: readonly Change[]): Promise<Proposal> {
  const dry = asDry(project);
  for (const { kind, name } of changes) getFile(kind, name);
  const { files } = await previewChanges(dry, changes);
  if (changes.some(({ kind, value }) => kind === 'webhook' && value !== undefined)) await judgeFiles(dry, files);
  return { files: toProposed(project, files), left: [] };
}

/** Proposes a removal. @throws ProblemsError as {@link applyRemoval}. */
export async function proposeRemoval(project: EditedProject, removal: Removal): Promise<Proposal> {
  const { files, left } = await applyRemoval(asDry(project), removal);
  return { files: toProposed(project, files), left };
}

/** Proposes a rename. @throws ProblemsError as {@link applyRename}. */
export async function proposeRename(project: EditedProject, input: RenameInput): Promise<Proposal> {
  const { edits, left } = await applyRename(asDry(project), input);
  const files = edits.flatMap(({ file, from, before, after }): ProposedFile[] =>
    from === undefined
      ? [{ file, before, text: after }]
      : [
          { file, before: undefined, text: after },
          { file: from, before, text: undefined },
        ],
  );
  return { files: files.filter(isChanged), left };
}

interface Place {
  readonly kind: DefinitionKind | 'settings';
  readonly name: string;
}

/** The definition that a file holds; undefined for other files. */
export function findDefinitionOf(file: string): Place | undefined {
  if (file === 'config/settings.json') return { kind: 'settings', name: 'settings' };
  const [, folder, name = ''] = /^config\/([a-z]+)\/([^/]+)\.json$/.exec(file) ?? [];
  const kind = DEFINITION_KINDS.find((each) => each === folder);
  return kind === undefined ? undefined : { kind, name };
}

/** The definitions after a proposal. @throws EDIT_FILE_BROKEN if a text is no definition. */
export function toDefinitionsAfter(definitions: Definitions, { files }: Proposal): Definitions {
  let next = definitions;
  for (const { file, text } of files) {
    const place = findDefinitionOf(file);
    if (place === undefined) continue;
    const { kind, name } = place;
    if (kind !== 'settings')
      next = withSource(next, kind, name, text === undefined ? undefined : parse(kind, file, text));
    else if (text !== undefined) next = { ...next, settings: parse(kind, file, text) };
  }
  return next;
}

function parse<K extends FileKind>(kind: K, file: string, text: string): Source<DefinitionOf[K]> {
  const { source } = parseDefinition(kind, file, text);
  if (source !== undefined) return source;
  throw new TreadleError('EDIT_FILE_BROKEN', `${file} is not a valid definition.`, { status: 409 });
}
