import { noteCommand } from '../project/command-note.ts';
import { type FileChange, writeTogether } from '../project/write-together.ts';
import { refuseCounted } from './judge.ts';
import type { EditedProject } from './project.ts';

/**
 * Writes all files or none, except in a dry run, and notes the command that does.
 *
 * @throws PROJECT_WRITE_FAILED. @throws ProblemsError if `treadle check` would refuse what a command writes.
 */
export async function writeEdited(project: EditedProject, changes: readonly FileChange[]): Promise<void> {
  // The admin section judges before: it shows the problems beside the form.
  if (project.command !== undefined) await refuseCounted(project, changes);
  if (project.isDryRun) return;
  if (project.command !== undefined) await noteCommand(project.root(), project.command, changes);
  await writeTogether(project.root(), changes);
}
