import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../project/write.ts';
import { EXIT } from './failure.ts';
import { type Invocation, isOn, type OptionSpec, type Outcome } from './spec.ts';

export const CHECK: OptionSpec = {
  name: 'check',
  description: 'writes nothing; exits with 2 if the file is out of date',
};

interface MadeFile {
  /** Absolute path, and as it is shown. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** The command line that makes it. */
  readonly by: string;
  /** What it has, for `--json`. */
  readonly data: object;
}

/** Writes a file that is made from the definitions; with `--check` only tells whether it is up to date. */
export async function writeMadeFile(invocation: Invocation, made: MadeFile): Promise<Outcome> {
  const { file, name, text, by, data } = made;
  const { values, isDryRun } = invocation;
  const isChecking = isOn(values, 'check');
  const isUpToDate = (await readOptional(file)) === text;
  const isWritten = !isUpToDate && !isChecking && !isDryRun;
  if (isWritten) await writeFileAtomically(file, text);
  const verb = isChecking ? 'out of date:' : isDryRun ? 'would write' : 'wrote';
  return {
    data: { file, ...data, isUpToDate, isWritten },
    lines: [isUpToDate ? `${name} is up to date.` : `${verb} ${name}`],
    next: isChecking || isDryRun ? (isUpToDate ? [] : [by]) : [`${by} --check`],
    exitCode: isChecking && !isUpToDate ? EXIT.differs : EXIT.done,
  };
}

/** A file's text; undefined where it is not there. */
async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
