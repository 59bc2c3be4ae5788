import { isError, type Problem, ProblemsError } from '../core/errors.ts';
import { type Definitions, getSources, withSources } from '../model/definitions.ts';
import { printChanged, printDefinition } from '../model/json/json-schema.ts';
import { linkModel } from '../model/link.ts';
import { parseDefinition, type Source } from '../model/parse.ts';
import type { NameChange, RenameChange, RenamedDefinitions } from '../model/rename/apply.ts';
import { DEFINITION_KINDS, type DefinitionKind, type DefinitionOf, type FileKind, toFile } from '../model/shape.ts';
import { type LeftText, planTextRenames, type TextChange, type TextRenames } from '../project/rename/rename-texts.ts';
import type { FileChange } from '../project/write-together.ts';
import { findText } from './change.ts';
import type { EditedProject } from './project.ts';
import { writeEdited } from './write.ts';

export interface RenameInput {
  readonly definitions: Definitions;
  readonly renamed: RenamedDefinitions;
  readonly moved?: NameChange;
  readonly field?: TextRenames['field'];
  readonly isWithCode: boolean;
}

/** A file that a rename changes or moves. */
export interface RenameEdit {
  readonly file: string;
  /** Old path, if the file moves. */
  readonly from?: string;
  readonly before: string;
  readonly after: string;
}

export interface RenameResult {
  readonly edits: readonly RenameEdit[];
  /** Lines of code that still name it. */
  readonly left: readonly LeftText[];
}

/**
 * Renames: prepares everything in memory, links the result, and only then writes, all files or none.
 *
 * @throws ProblemsError if the project would get a new problem; then nothing is written.
 */
export async function applyRename(project: EditedProject, input: RenameInput): Promise<RenameResult> {
  const { definitions, renamed, moved, field, isWithCode } = input;
  const edits = renamed.changes.flatMap((change) => toEdit(change, definitions));
  refuseProblems(definitions, edits, renamed, moved);
  const texts = await planTextRenames(project.root(), {
    renames: renamed.renames,
    isWithCode,
    ...(moved === undefined ? {} : { moved }),
    ...(field === undefined ? {} : { field }),
  });
  const all = [...edits, ...texts.changes.map(toTextEdit)];
  await writeEdited(project, all.flatMap(toFileChanges));
  return { edits: all, left: texts.left };
}

function toEdit({ kind, name, from, value }: RenameChange, definitions: Definitions): RenameEdit[] {
  // A file that moves is reported under its new name.
  if (value === undefined) return [];
  const before = findText(definitions, kind, from ?? name) ?? '';
  const after = from === undefined ? printChanged(kind, value, before) : printDefinition(kind, value);
  const file = toFile(kind, name);
  return [{ file, before, after, ...(from === undefined ? {} : { from: toFile(kind, from) }) }];
}

const toTextEdit = ({ file, to, before, after }: TextChange): RenameEdit =>
  to === undefined ? { file, before, after } : { file: to, from: file, before, after };

function toFileChanges({ file, from, after }: RenameEdit): FileChange[] {
  return [{ file, text: after }, ...(from === undefined ? [] : [{ file: from, text: undefined }])];
}

const FILE_KINDS: readonly FileKind[] = ['settings', ...DEFINITION_KINDS];

/** Identifies a problem independently of the file's name, so that problems in a moved file count as existing. */
const toKey = ({ code, file, path }: Problem, files: ReadonlyMap<string, string>): string =>
  [code, files.get(file) ?? file, path].join('\u0000');

function refuseProblems(
  before: Definitions,
  edits: readonly RenameEdit[],
  renamed: RenamedDefinitions,
  moved?: NameChange,
): void {
  const broken = edits.flatMap(({ file, after }) => {
    const kind = FILE_KINDS.find((each) =>
      file === 'config/settings.json' ? each === 'settings' : file.startsWith(`config/${each}/`),
    );
    return kind === undefined ? [] : [...parseDefinition(kind, file, after).problems];
  });
  if (broken.length > 0) throw new ProblemsError(broken);
  const files = new Map(edits.flatMap(({ file, from }) => (from === undefined ? [] : [[from, file] as const])));
  const known = new Set(linkModel(before).problems.map((problem) => toKey(problem, files)));
  const texts = new Map(edits.map(({ file, after }) => [file, after] as const));
  const after = withTexts(renamed.definitions, texts);
  const added = linkModel(after).problems.filter(
    (problem) => isError(problem) && !known.has(toKey(problem, new Map())),
  );
  if (added.length > 0) throw new ProblemsError(added);
  if (moved !== undefined && before.broken.has(`${moved.kind}/${moved.to}`)) {
    const file = toFile(moved.kind, moved.to);
    const message = 'This file already exists, and is broken.';
    throw new ProblemsError([{ code: 'CLI_DEFINITION_EXISTS', file, path: '', message, hint: 'Mend or remove it.' }]);
  }
}

/** Definitions with their future texts, which problems use to find line numbers. */
function withTexts(definitions: Definitions, texts: ReadonlyMap<string, string>): Definitions {
  const inKind = <K extends DefinitionKind>(all: Definitions, kind: K): Definitions => {
    const sources = [...getSources(all, kind)].map(([name, source]): [string, Source<DefinitionOf[K]>] => [
      name,
      { ...source, text: texts.get(source.file) ?? source.text },
    ]);
    return withSources(all, kind, new Map(sources));
  };
  return DEFINITION_KINDS.reduce(inKind, definitions);
}
