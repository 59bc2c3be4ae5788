import { noteCommand } from '../project/command-note.ts';
import { type FileChange, writeTogether } from '../project/write-together.ts';
import type { EditedProject } from './project.ts';

/** Writes all files or none, except in a dry run, and notes the command that does. @throws PROJECT_WRITE_FAILED */
export async function writeEdited(project: EditedProject, changes: readonly FileChange[]): Promise<void> {
  if (project.isDryRun) return;
  if (project.command !== undefined) await noteCommand(project.root(), project.command, changes);
  await writeTogether(project.root(), changes);
}
