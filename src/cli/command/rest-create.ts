import type { Problem } from '../../core/errors.ts';
import { type Rest, toFile } from '../../model/shape.ts';
import { applyChanges, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, getText, type Invocation } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the call, such as public-article-search', check: findNameFault }],
  options: [...toCreateOptions(KEYS.rest)],
  isWriting: true,
  examples: [
    'treadle rest create public-article-search --title "Search articles" --access public --method get --path /public/article/search --event system-model-search --parameter schema=article',
  ],
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'rest', name);
    const value = changeKeys({} as Rest, KEYS.rest, values);
    const files = await applyChanges(invocation, [{ kind: 'rest', name, value }]);
    const next =
      value.access === 'user'
        ? `treadle scope create <slug> --name <text> --access user --call ${name}`
        : 'treadle dev';
    const advice = await findAdvice(invocation, name);
    const lines = advice.map(({ message, hint }) => `${message} ${hint ?? ''}`.trimEnd());
    return toOutcome(invocation, files, {
      data: { advice: lines },
      lines: [`${value.method.toUpperCase()} /rest${value.path}`, ...lines],
      next: [next, `treadle explain ${value.method === 'all' ? 'GET' : value.method.toUpperCase()} /rest${value.path}`],
    });
  },
};

/** What is odd about the new call, such as an event that nobody hears. That it is in no scope is what comes next anyway. */
async function findAdvice(invocation: Invocation, name: string): Promise<readonly Problem[]> {
  if (invocation.isDryRun) return [];
  const { compileProject } = await import('../../boot.ts');
  const { problems } = await compileProject(invocation.root(), invocation.env);
  return problems.filter(
    ({ file, severity, code }) =>
      file === toFile('rest', name) && severity === 'advice' && code !== 'REST_CALL_UNREACHABLE',
  );
}
