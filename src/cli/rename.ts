import { type Problem, ProblemsError } from '../core/errors.ts';
import type { Definitions } from '../model/definitions.ts';
import { printChanged, printDefinition } from '../model/json-schema.ts';
import { linkModel } from '../model/link.ts';
import { parseDefinition } from '../model/parse.ts';
import type { NameChange, RenameChange, Renamed } from '../model/rename/apply.ts';
import { type FileKind, toFile } from '../model/shape.ts';
import { type Left, planTextRenames, type TextChange, type TextRenames } from '../project/rename/rename-texts.ts';
import { type FileChange, writeTogether } from '../project/write-together.ts';
import { toDiff } from './diff.ts';
import type { Invocation, Outcome } from './spec.ts';

export interface RenameInput {
  readonly definitions: Definitions;
  readonly renamed: Renamed;
  readonly moved?: NameChange;
  readonly field?: TextRenames['field'];
  readonly isWithCode: boolean;
  /** Lines for a person, after what was changed: what stays, what to tell others. */
  readonly notes?: readonly string[];
  readonly next?: readonly string[];
}

interface Edit {
  readonly file: string;
  /** Former path, where it moves. */
  readonly from?: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Renames: works everything out in memory, links the result, and only then writes, all files or none.
 *
 * @throws ProblemsError where the project would have a problem that it has not now; nothing is written then.
 */
export async function applyRename(invocation: Invocation, input: RenameInput): Promise<Outcome> {
  const { definitions, renamed, moved, field, isWithCode } = input;
  const edits = renamed.changes.flatMap((change) => toEdit(change, definitions));
  refuseProblems(definitions, edits, renamed, moved);
  const texts = await planTextRenames(invocation.root(), {
    renames: renamed.renames,
    isWithCode,
    ...(moved === undefined ? {} : { moved }),
    ...(field === undefined ? {} : { field }),
  });
  const all = [...edits, ...texts.changes.map(toTextEdit)];
  if (!invocation.isDryRun) await writeTogether(invocation.root(), all.flatMap(toFileChanges));
  return toOutcome(invocation, all, { ...input, left: texts.left });
}

const readText = (definitions: Definitions, kind: FileKind, name: string): string | undefined =>
  kind === 'settings' ? definitions.settings.text : definitions[kind].get(name)?.text;

function toEdit({ kind, name, from, value }: RenameChange, definitions: Definitions): Edit[] {
  // A file that moves is told of under its new name.
  if (value === undefined) return [];
  const before = readText(definitions, kind, from ?? name) ?? '';
  const after = from === undefined ? printChanged(kind, value, before) : printDefinition(kind, value);
  const file = toFile(kind, name);
  return [{ file, before, after, ...(from === undefined ? {} : { from: toFile(kind, from) }) }];
}

const toTextEdit = ({ file, to, before, after }: TextChange): Edit =>
  to === undefined ? { file, before, after } : { file: to, from: file, before, after };

function toFileChanges({ file, from, after }: Edit): FileChange[] {
  return [{ file, text: after }, ...(from === undefined ? [] : [{ file: from, text: undefined }])];
}

/** A problem whatever its file is called: a rename moves problems that were there before. */
const toKey = ({ code, file, path }: Problem, files: ReadonlyMap<string, string>): string =>
  [code, files.get(file) ?? file, path].join('\u0000');

function refuseProblems(before: Definitions, edits: readonly Edit[], renamed: Renamed, moved?: NameChange): void {
  const broken = edits.flatMap(({ file, after }) => {
    const kind = (file.split('/')[1] ?? '').replace('.json', '') as FileKind;
    return [...parseDefinition(kind, file, after).problems];
  });
  if (broken.length > 0) throw new ProblemsError(broken);
  const files = new Map(edits.flatMap(({ file, from }) => (from === undefined ? [] : [[from, file] as const])));
  const known = new Set(linkModel(before).problems.map((problem) => toKey(problem, files)));
  const texts = new Map(edits.map(({ file, after }) => [file, after] as const));
  const after = withTexts(renamed.definitions, texts);
  const added = linkModel(after).problems.filter(
    (problem) => problem.severity !== 'advice' && !known.has(toKey(problem, new Map())),
  );
  if (added.length > 0) throw new ProblemsError(added);
  if (moved !== undefined && before.broken.has(`${moved.kind}/${moved.to}`)) {
    const file = toFile(moved.kind, moved.to);
    const message = 'This file is there already, and is broken.';
    throw new ProblemsError([{ code: 'CLI_DEFINITION_EXISTS', file, path: '', message, hint: 'Mend or remove it.' }]);
  }
}

/** Definitions with the texts that they will have, by which problems find their lines. */
function withTexts(definitions: Definitions, texts: ReadonlyMap<string, string>): Definitions {
  const kinds = Object.entries(definitions).map(([kind, map]) => {
    if (!(map instanceof Map)) return [kind, map];
    const sources = [...(map as Map<string, { file: string; text: string }>)].map(([name, source]) => {
      return [name, { ...source, text: texts.get(source.file) ?? source.text }] as const;
    });
    return [kind, new Map(sources)];
  });
  return Object.fromEntries(kinds) as Definitions;
}

interface Done extends RenameInput {
  readonly left: readonly Left[];
}

const toVerb = ({ from, file }: Edit): string =>
  from === undefined ? `changed ${file}` : `renamed ${from} to ${file}`;

/** Rows of data that are shown: they are all alike. */
const FIXTURE_LINES = 4;

const toShownDiff = ({ file, before, after }: Edit): string[] =>
  file.startsWith('fixture/') ? toDiff(before, after, FIXTURE_LINES) : toDiff(before, after);

/** Mentions that are printed; the rest is counted, and in the JSON. */
const MOST_LEFT = 40;

function toOutcome({ isDryRun }: Invocation, edits: readonly Edit[], done: Done): Outcome {
  const { left, notes = [], isWithCode } = done;
  const lines = edits.flatMap((edit) => {
    const line = `${isDryRun ? 'would be ' : ''}${toVerb(edit)}`;
    return isDryRun ? [line, ...toShownDiff(edit)] : [line];
  });
  const shown = left.slice(0, MOST_LEFT).map(({ file, line, text }) => `  ${file}:${line}  ${text}`);
  const more = left.length > MOST_LEFT ? [`  and ${left.length - MOST_LEFT} more`] : [];
  const hint = isWithCode ? 'Look at these, which were left:' : 'These name it still; --code changes what is certain:';
  const broken = [...done.definitions.broken].map((name) => `config/${name}.json is broken, and was not looked at.`);
  return {
    data: {
      isDryRun,
      files: edits.map(({ file, from, before, after }) => ({
        file,
        change: from === undefined ? 'changed' : 'renamed',
        ...(from === undefined ? {} : { from }),
        ...(isDryRun ? { diff: toShownDiff({ file, before, after }) } : {}),
      })),
      left,
      notes: [...notes, ...broken],
    },
    lines: [...lines, ...(left.length === 0 ? [] : [hint, ...shown, ...more]), ...broken, ...notes],
    ...(isDryRun ? {} : { next: done.next ?? ['treadle check'] }),
  };
}
