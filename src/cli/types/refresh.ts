import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../core/errors.ts';
import type { Plan } from '../../plan/feature.ts';
import { writeFileAtomically } from '../../project/write.ts';
import { printTypes, TYPES_FILE } from './file.ts';

/** What the types are made of. */
type TypedPlan = Pick<Plan, 'model' | 'events'>;

/**
 * Writes the types again if the file exists and the model has changed.
 *
 * @returns True if it was written.
 */
export async function refreshTypes({ model, events }: TypedPlan, root: string): Promise<boolean> {
  const file = join(root, TYPES_FILE);
  const there = await readFile(file, 'utf8').catch(() => undefined);
  if (there === undefined) return false;
  const text = printTypes(model, events);
  if (text === there) return false;
  await writeFileAtomically(file, text);
  return true;
}

/** Milliseconds after a reload: the requests that waited for it come first, because printing the types of many schemas takes a while. */
const DELAY_MS = 150;

/** Writes the types some time after each reload. */
export interface LateTypes {
  /** Writes them soon, with the model that is there then. */
  soon(): void;
  /** Writes now what {@link soon} left. Resolves when it is written. */
  settle(): Promise<void>;
}

export function createLateTypes(write: () => Promise<unknown>, delayMs: number = DELAY_MS): LateTypes {
  const state: { timer: NodeJS.Timeout | undefined; last: Promise<unknown> } = {
    timer: undefined,
    last: Promise.resolve(),
  };
  const start = (): void => {
    state.timer = undefined;
    state.last = state.last.then(write);
  };
  return {
    soon() {
      clearTimeout(state.timer);
      state.timer = setTimeout(start, delayMs);
    },
    async settle() {
      if (state.timer !== undefined) {
        clearTimeout(state.timer);
        start();
      }
      await state.last;
    },
  };
}

/** Brings the types up to date for the compiler, which judges the code by them. Advice if the file cannot be written. */
export async function updateTypes(
  plan: TypedPlan | undefined,
  root: string,
): Promise<{ readonly isWritten: boolean; readonly advice: Problem[] }> {
  if (plan === undefined) return { isWritten: false, advice: [] };
  try {
    return { isWritten: await refreshTypes(plan, root), advice: [] };
  } catch (error) {
    const message = `The types are of earlier definitions, and cannot be written: ${(error as Error).message}.`;
    const hint = 'Run where the file can be written: treadle types';
    const advice: Problem = { code: 'TYPES_OLD', file: TYPES_FILE, path: '', message, hint, severity: 'advice' };
    return { isWritten: false, advice: [advice] };
  }
}
