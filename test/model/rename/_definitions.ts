import type { Definitions } from '../../../src/model/definitions.ts';
import { printDefinition } from '../../../src/model/json/json-schema.ts';
import { parseDefinition } from '../../../src/model/parse.ts';
import { DEFINITION_KINDS, type DefinitionKind, toFile } from '../../../src/model/shape.ts';

/** Definitions from values by `<kind>/<name>`; a value with the wrong shape fails the test. */
export function toDefinitions(files: Readonly<Record<string, object>>): Definitions {
  const parse = (kind: DefinitionKind | 'settings', name: string, value: object) => {
    const { source, problems } = parseDefinition(kind, toFile(kind, name), printDefinition(kind, value));
    if (source === undefined) throw new Error(JSON.stringify(problems));
    return source;
  };
  const kinds = DEFINITION_KINDS.map((kind) => {
    const sources = Object.entries(files).flatMap(([path, value]) => {
      const [own, name = ''] = path.split('/');
      return own === kind ? [[name, parse(kind, name, value)] as const] : [];
    });
    return [kind, new Map(sources)] as const;
  });
  const settings = parse('settings', 'settings', {});
  return { ...Object.fromEntries(kinds), settings, broken: new Set() } as unknown as Definitions;
}
