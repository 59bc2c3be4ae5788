import { printProblem, sortProblems } from '../../core/errors.ts';
import { withFixes } from '../../edit/fix/fix.ts';
import { toIconAdvice } from '../change/schema-icon.ts';
import { EXIT } from '../failure.ts';
import { toMailAdvice } from '../mail.ts';
import { findDrift } from '../migration/drift.ts';
import { withDocs } from '../problem-docs.ts';
import { toProviderAdvice } from '../provider.ts';
import type { CommandSpec } from '../spec.ts';
import { TYPES_FILE } from '../types/file.ts';
import { updateTypes } from '../types/refresh.ts';

export const command: CommandSpec = {
  examples: ['treadle check', 'treadle check --json'],
  async run(invocation) {
    const { compileProject } = await import('../../boot.ts');
    const root = invocation.root();
    const { problems, plan, environment } = await compileProject(root, invocation.env);
    const settings = plan?.model.settings;
    const outside =
      plan === undefined || settings === undefined
        ? []
        : [
            ...toMailAdvice(environment, settings),
            ...toProviderAdvice(environment, settings),
            ...toIconAdvice(plan.model),
          ];
    const types = await updateTypes(plan, root);
    if (types.isWritten) invocation.terminal.say(`Updated ${TYPES_FILE}.`);
    const found = sortProblems([...problems, ...outside, ...types.advice, ...(await findDrift(root, plan))]);
    const sorted = invocation.terminal.isJson ? withFixes(root, found).map(withDocs) : found;
    const errors = sorted.filter(({ severity }) => severity !== 'advice').length;
    const count = `${errors} problem${errors === 1 ? '' : 's'}`;
    return {
      data: { error: errors > 0, problems: sorted },
      lines: [...sorted.map(printProblem), errors === 0 ? toAllClear(sorted.length) : `${count} found.`],
      exitCode: errors === 0 ? EXIT.done : EXIT.definitionInvalid,
    };
  },
};

/** The last line of a successful check: how many of the printed lines are advice. */
function toAllClear(advice: number): string {
  if (advice === 0) return 'No problems found.';
  return `No problems found; ${advice === 1 ? 'the line above is' : `the ${advice} lines above are`} advice.`;
}
