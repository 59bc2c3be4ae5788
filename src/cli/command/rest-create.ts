import { ACCESS, REST_METHODS, type Rest } from '../../model/shape.ts';
import { applyChanges, parsePairs, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the call, such as public-article-search', check: findNameFault }],
  options: [
    { name: 'title', value: 'text', description: 'title in the docs', isRequired: true },
    { name: 'access', value: 'access', description: 'who may call', isRequired: true, choices: ACCESS },
    { name: 'method', value: 'method', description: 'HTTP method', isRequired: true, choices: REST_METHODS },
    { name: 'path', value: 'path', description: 'path below /rest; :name is a parameter', isRequired: true },
    { name: 'event', value: 'event', description: 'event that answers, such as system-model-search', isRequired: true },
    { name: 'parameter', value: 'key=value', description: 'a fixed stage value', isRepeated: true },
    { name: 'description', value: 'text', description: 'what the call does' },
    { name: 'no-own', description: "does not hold a user call to the user's own rows" },
  ],
  isWriting: true,
  examples: [
    'treadle rest create public-article-search --title "Search articles" --access public --method get --path /public/article/search --event system-model-search --parameter schema=article',
  ],
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'rest', name);
    const parameters = parsePairs(getList(values, 'parameter'), '--parameter');
    const description = findText(values, 'description');
    const value: Rest = {
      title: getText(values, 'title'),
      access: getText(values, 'access') as Rest['access'],
      method: getText(values, 'method') as Rest['method'],
      path: getText(values, 'path').replace(/^\/rest(?=\/)/, ''),
      event: getText(values, 'event'),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      ...(description === undefined ? {} : { description }),
      ...(values.own === false ? { own: false } : {}),
    };
    const files = await applyChanges(invocation, [{ kind: 'rest', name, value }]);
    const next =
      value.access === 'user'
        ? `treadle scope create <slug> --name <text> --access user --call ${name}`
        : 'treadle dev';
    return toOutcome(invocation, files, { lines: [`${value.method.toUpperCase()} /rest${value.path}`], next: [next] });
  },
};
