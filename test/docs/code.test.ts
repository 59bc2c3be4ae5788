import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Entry, Exported } from '../../docs/read-code.ts';
import { readCode } from '../../docs/render-code.ts';
import { systemClock } from '../../src/core/clock.ts';
import * as toolkit from '../../src/index.ts';
import { createHelpers } from '../../src/pages/template-helper.ts';
import { boot } from '../boot.ts';

const code = readCode();
const exported = code.exports.get('treadle') ?? [];

const find = (name: string): Exported => {
  const found = exported.find((one) => one.name === name);
  assert.ok(found, `${name} is not exported`);
  return found;
};

const names = (entries: readonly Entry[]): string[] => entries.map(({ name }) => name).sort();

/** Methods and getters of an object and its prototypes. */
function listMembers(object: object): string[] {
  const found = new Set<string>();
  for (let one = object; one !== null && one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (name !== 'constructor' && (get !== undefined || typeof value === 'function')) found.add(name);
  return [...found].sort();
}

/** For Treadle's own files: marked `@internal`, and left out of the published types. */
const INTERNAL = {
  Request: [
    'part',
    'readPart',
    'writePart',
    'hasPart',
    'dropPart',
    'touchPart',
    'record',
    'sessionChanges',
    'hasHeader',
  ],
  Response: ['record', 'caching'],
  Registry: ['record'],
} as const;

const reference = suite('docs/reference/code.md');

for (const [name, made] of [
  ['Request', new toolkit.Request()],
  ['Response', new toolkit.Response()],
  ['Registry', new toolkit.Registry()],
] as const) {
  reference(`${name} has the methods of its section, and no other`, () => {
    const internal: readonly string[] = INTERNAL[name];
    const there = listMembers(made);
    assert.equal(
      there.filter((member) => !internal.includes(member)),
      names(find(name).members),
    );
    assert.equal(
      internal.filter((member) => !there.includes(member)),
      [],
    );
  });
}

reference('app and packages have the members of their sections, and no other', async () => {
  const seen: { app?: string[]; global?: string[]; own?: string[] } = {};
  Object.assign(globalThis, { seenMembers: seen });
  const list = `const list = (one) => { const found = []; for (const name in one) found.push(name); return found.sort(); };`;
  const site = await boot({
    template: 'none',
    files: {
      'app/www/.treadle.ts': `${list}
        export default [(app) => {
          const { method, view, folder, ...rest } = Object.fromEntries(list(app).map((name) => [name, 1]));
          const seen = globalThis.seenMembers;
          seen.app = Object.keys(rest).sort();
          seen.global = list(app.package('global'));
          seen.own = list(app.package('/app/www'));
        }];`,
    },
  });
  await site.close();
  Reflect.deleteProperty(globalThis, 'seenMembers');
  assert.equal(seen.app, names(find('App').members));
  assert.equal(seen.global, names(find('GlobalPackage').members));
  assert.equal(seen.own, names(find('Package').members));
});

reference('every value that the package exports has a section', () => {
  const values = exported.filter(({ kind }) => ['class', 'function', 'value'].includes(kind));
  assert.equal(names(values), Object.keys(toolkit).sort());
});

reference('everything in it is explained', () => {
  const all = [...code.exports.values()].flat();
  const silent = all.flatMap(({ name, text, members }) => [
    ...(text === '' ? [name] : []),
    ...members.filter((member) => member.text === '').map((member) => `${name}.${member.name}`),
  ]);
  assert.equal(silent, []);
});

reference('every template helper has a line in helpers.md, and no other', () => {
  assert.equal([...code.helpers.keys()].sort(), Object.keys(createHelpers(systemClock)).sort());
  const odd = [...code.helpers].filter(([name, text]) => !new RegExp(`^\`${name}\\b[^\`]*\`: .+\\.$`).test(text));
  assert.equal(odd, []);
});

reference.run();
