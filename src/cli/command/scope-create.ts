import { applyChanges } from '../../edit/change.ts';
import type { Scope } from '../../model/shape.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'slug', description: 'name that apps request, such as profile_read', check: findNameFault }],
  options: [...toCreateOptions(KEYS.scope)],
  isWriting: true,
  examples: ['treadle scope create profile_read --name "See your profile" --access user --call user-profile-detail'],
  async ask({ values, root }, prompt) {
    if (getList(values, 'call').length > 0) return;
    const { readProject } = await import('../../project/read.ts');
    const { definitions } = await readProject(root());
    const wanted = getText(values, 'access');
    const names = [...definitions.rest].filter(([, { value }]) => value.access === wanted).map(([name]) => name);
    if (names.length > 0) values.call = await prompt.several('REST calls that it opens:', names);
  },
  async run(invocation) {
    const { values } = invocation;
    const slug = getText(values, 'slug');
    refuseExisting(await readDefinitions(invocation), 'scope', slug);
    const value = changeKeys({ slug, calls: [] as string[] } as unknown as Scope, KEYS.scope, values);
    const files = await applyChanges(invocation, [{ kind: 'scope', name: slug, value }]);
    return toOutcome(invocation, files, { next: [`treadle app create <name> --title <text> --scope ${slug}`] });
  },
};
