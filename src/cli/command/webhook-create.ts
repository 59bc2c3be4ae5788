import type { Hook } from '../../model/shape.ts';
import { applyChanges, parsePairs, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook, such as profile-created', check: findNameFault }],
  options: [
    { name: 'title', value: 'text', description: 'title in the docs', isRequired: true },
    { name: 'event', value: 'event', description: 'event that fires it when it succeeds', isRequired: true },
    { name: 'parameter', value: 'key=value', description: 'a stage value that must match', isRepeated: true },
    { name: 'type', value: 'type', description: 'type in the body, such as profile.created', isRequired: true },
    { name: 'audience', value: 'audience', description: 'whose apps hear of it', choices: ['app', 'user'] },
    { name: 'url', value: 'url', description: 'a receiver beside the subscribed apps' },
    { name: 'method', value: 'method', description: 'HTTP method of the delivery', choices: ['post', 'put'] },
    {
      name: 'delivery',
      value: 'delivery',
      description: 'after the action, or during it',
      choices: ['queued', 'inline'],
    },
    { name: 'description', value: 'text', description: 'when it fires' },
  ],
  isWriting: true,
  examples: [
    'treadle webhook create article-created --title "Article created" --event system-model-create --parameter schema=article --type article.created --url https://example.org/hook',
  ],
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'webhook', name);
    const parameters = parsePairs(getList(values, 'parameter'), '--parameter');
    const optional = ['audience', 'method', 'url', 'delivery', 'description'].flatMap((key) => {
      const text = findText(values, key);
      return text === undefined ? [] : [[key, text]];
    });
    const value: Hook = {
      title: getText(values, 'title'),
      event: getText(values, 'event'),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      type: getText(values, 'type'),
      ...Object.fromEntries(optional),
    };
    const files = await applyChanges(invocation, [{ kind: 'webhook', name, value }]);
    return toOutcome(invocation, files, { next: [`treadle webhook secret ${name}`] });
  },
};
