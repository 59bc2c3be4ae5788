import { toDiff } from '../../edit/diff.ts';
import { applyRename, type RenameEdit, type RenameInput } from '../../edit/rename.ts';
import { agree } from '../question/agree.ts';
import { type Invocation, isOn, type OptionSpec, type Outcome } from '../spec.ts';

export const CODE: OptionSpec = {
  name: 'code',
  description: "also changes unambiguous references in the project's own code; otherwise they are only listed",
};

interface RenameCommand extends Omit<RenameInput, 'isWithCode'> {
  /** Asked at a terminal before files are written. */
  readonly question: string;
  /** Lines after the changes: what stays, and what others must know. */
  readonly notes?: readonly string[];
  readonly next?: readonly string[];
}

const toVerb = ({ from, file }: RenameEdit): string =>
  from === undefined ? `changed ${file}` : `renamed ${from} to ${file}`;

/** Number of data rows that are shown: they are all alike. */
const FIXTURE_LINES = 4;

const toShownDiff = ({ file, before, after }: RenameEdit): string[] =>
  file.startsWith('fixture/') ? toDiff(before, after, FIXTURE_LINES) : toDiff(before, after);

/** Maximum number of mentions to print; the rest is counted, and in the JSON. */
const MOST_LEFT = 40;

/**
 * Asks for confirmation at a terminal, renames, and lists the changes.
 *
 * @throws ProblemsError as {@link applyRename}. @throws CLI_DECLINED if the user declines.
 */
export async function runRename(invocation: Invocation, command: RenameCommand): Promise<Outcome> {
  const { isDryRun, values } = invocation;
  const { notes = [], question, ...input } = command;
  const isWithCode = isOn(values, 'code');
  await agree(invocation, question, true);
  const { edits, left } = await applyRename(invocation, { ...input, isWithCode });
  const lines = edits.flatMap((edit) => {
    const line = `${isDryRun ? 'would be ' : ''}${toVerb(edit)}`;
    return isDryRun ? [line, ...toShownDiff(edit)] : [line];
  });
  const shown = left.slice(0, MOST_LEFT).map(({ file, line, text }) => `  ${file}:${line}  ${text}`);
  const more = left.length > MOST_LEFT ? [`  and ${left.length - MOST_LEFT} more`] : [];
  const hint = isWithCode
    ? 'These were not changed; check them:'
    : 'Still named here; --code changes unambiguous references:';
  const broken = [...command.definitions.broken].map((name) => `config/${name}.json is broken and was not checked.`);
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
    ...(isDryRun ? {} : { next: command.next ?? ['treadle check'] }),
  };
}
