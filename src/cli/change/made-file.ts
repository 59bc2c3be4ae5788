import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCode } from '../../core/errors.ts';
import { findWriteTarget, isStandardOutput, writeInto } from '../../core/file/write-target.ts';
import { writeFileAtomically } from '../../project/write.ts';
import { EXIT } from '../failure.ts';
import { type Invocation, isOn, type OptionSpec, type Outcome } from '../spec.ts';

export const CHECK: OptionSpec = {
  name: 'check',
  description: 'writes nothing; exits with 2 if the file is out of date',
};

interface MadeFile {
  /** Absolute path, and path for display. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** The command line that generates it. */
  readonly by: string;
  /** Its content, for `--json`. */
  readonly data: object;
}

/** Writes a file generated from the definitions; with `--check` only reports whether it is up to date. */
export async function writeMadeFile(invocation: Invocation, made: MadeFile): Promise<Outcome> {
  const { file, name, text, by, data } = made;
  const { values, isDryRun } = invocation;
  const isChecking = isOn(values, 'check');
  const target = await findWriteTarget(file);
  if (target.kind === 'stream' && !isChecking && !isDryRun) {
    await writeInto(target, text);
    // The text is the command's whole output there.
    return isStandardOutput(target) ? { data: undefined } : { data: { file, ...data }, lines: [`wrote ${name}`] };
  }
  // Reading a pipe would wait for its writer.
  const isUpToDate = target.kind === 'file' && (await readOptional(file)) === text;
  const isWritten = !isUpToDate && !isChecking && !isDryRun;
  if (isWritten) await writeFileAtomically(file, text);
  const changed = isUpToDate ? [] : [name];
  return toOutcome(invocation, { name, changed, by, data: { file, ...data, isUpToDate, isWritten } });
}

interface Comparison {
  readonly name: string;
  /** Names of the files that are, or were, out of date. */
  readonly changed: readonly string[];
  readonly by: string;
  readonly data: object;
}

/** What the command says of files that it wrote, or would write, or only compared. */
function toOutcome({ values, isDryRun }: Invocation, { name, changed, by, data }: Comparison): Outcome {
  const isChecking = isOn(values, 'check');
  const isUpToDate = changed.length === 0;
  const verb = isChecking ? 'out of date:' : isDryRun ? 'would write' : 'wrote';
  return {
    data,
    lines: isUpToDate ? [`${name} is up to date.`] : changed.map((file) => `${verb} ${file}`),
    next: isUpToDate ? [] : [isChecking || isDryRun ? by : `${by} --check`],
    exitCode: isChecking && !isUpToDate ? EXIT.differs : EXIT.done,
  };
}

interface MadeFolder {
  /** Absolute path, and path for display. */
  readonly folder: string;
  readonly name: string;
  /** Texts by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The command line that generates it. */
  readonly by: string;
  /** Its content, for `--json`. */
  readonly data: object;
}

/** Writes files generated from the definitions into a folder, and leaves what else is there; with `--check` as {@link writeMadeFile}. */
export async function writeMadeFolder(invocation: Invocation, made: MadeFolder): Promise<Outcome> {
  const { folder, name, files, by, data } = made;
  const { values, isDryRun } = invocation;
  const isChecking = isOn(values, 'check');
  const changed: string[] = [];
  for (const [file, text] of files) if ((await readOptional(join(folder, file))) !== text) changed.push(file);
  const isUpToDate = changed.length === 0;
  const isWritten = !isUpToDate && !isChecking && !isDryRun;
  if (isWritten) for (const file of changed) await writeFileAtomically(join(folder, file), files.get(file) ?? '');
  return toOutcome(invocation, {
    name,
    changed: changed.map((file) => join(name, file)),
    by,
    data: { folder, files: [...files.keys()], changed, ...data, isUpToDate, isWritten },
  });
}

/** A file's text; undefined if it does not exist. */
async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (readCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
