import { applyChanges } from '../../edit/change.ts';
import { toLabelText } from '../../model/names.ts';
import type { Role } from '../../model/shape.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'slug', description: 'name of the role, such as editor', check: findNameFault }],
  options: [...toCreateOptions(KEYS.role)],
  isWriting: true,
  examples: ["treadle role create editor --name Editor --permission 'all:/admin/system/model/article/**'"],
  async run(invocation) {
    const { values } = invocation;
    const slug = getText(values, 'slug');
    refuseExisting(await readDefinitions(invocation), 'role', slug);
    const value = changeKeys<Role>({ slug, name: toLabelText(slug), permissions: [] }, KEYS.role, values);
    const files = await applyChanges(invocation, [{ kind: 'role', name: slug, value }]);
    return toOutcome(invocation, files, { next: [`treadle user create --email E --name N --role ${slug}`] });
  },
};
