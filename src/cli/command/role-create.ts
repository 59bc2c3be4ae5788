import { toDidYouMean } from '../../core/suggest.ts';
import { toLabelText } from '../../model/names.ts';
import { REST_METHODS, type Role } from '../../model/shape.ts';
import { applyChanges, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'slug', description: 'name of the role, such as editor', check: findNameFault }],
  options: [
    { name: 'name', value: 'text', description: 'label; made from the slug if left out' },
    {
      name: 'permission',
      value: 'method:path',
      description: 'what may be opened; * is one segment, ** the rest',
      isRequired: true,
      isRepeated: true,
    },
  ],
  isWriting: true,
  examples: ["treadle role create editor --name Editor --permission 'all:/admin/system/model/article/**'"],
  async run(invocation) {
    const { values } = invocation;
    const slug = getText(values, 'slug');
    refuseExisting(await readDefinitions(invocation), 'role', slug);
    const value: Role = {
      slug,
      name: findText(values, 'name') ?? toLabelText(slug),
      permissions: getList(values, 'permission').map(parsePermission),
    };
    const files = await applyChanges(invocation, [{ kind: 'role', name: slug, value }]);
    return toOutcome(invocation, files, { next: [`treadle user create --email E --name N --role ${slug}`] });
  },
};

function parsePermission(text: string): Role['permissions'][number] {
  const at = text.indexOf(':');
  const word = at < 0 || text.startsWith('/') ? 'all' : text.slice(0, at);
  const path = word === 'all' && !text.startsWith('all:') ? text : text.slice(at + 1);
  const method = REST_METHODS.find((each) => each === word.toLowerCase());
  if (method) return { method, path };
  throw createUsageError(`--permission "${text}" does not start with a method.`, toDidYouMean(word, REST_METHODS));
}
