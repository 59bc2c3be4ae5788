import { findAdvice } from '../../edit/advice.ts';
import { applyChanges } from '../../edit/change.ts';
import type { Rest } from '../../model/shape.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

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
    const advice = await findAdvice(invocation, 'rest', name);
    return toOutcome(invocation, files, {
      data: { advice },
      lines: [`${value.method.toUpperCase()} /rest${value.path}`, ...advice],
      next: [next, `treadle explain ${value.method === 'all' ? 'GET' : value.method.toUpperCase()} /rest${value.path}`],
    });
  },
};
