import type { EditedProject } from '../../edit/project.ts';
import type { Services } from '../../plan/feature.ts';

/** The running project as `src/edit` takes it. Proposals only: the files are written by `saveProposal`. */
export const toEditedProject = ({ root, compile }: Services): EditedProject => ({
  root: () => root,
  env: {},
  isDryRun: true,
  compile,
});
