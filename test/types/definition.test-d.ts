// Checked by `tsc` alone: what it would refuse stands under `@ts-expect-error`.
import type { Definitions } from '../../src/model/definitions.ts';
import type { Model, SchemaModel } from '../../src/model/model.ts';
import { type ParseResult, parseDefinition } from '../../src/model/parse.ts';
import type { App, Field, FieldType, Rest, Schema, Settings, SettingsInput } from '../../src/model/shape.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(): T | undefined => undefined;

isTrue<Same<Rest['access'], 'public' | 'app' | 'user'>>();
isTrue<Same<Rest['own'], boolean | undefined>>();
isTrue<Same<Field['type'], FieldType>>();
isTrue<Same<App['redirectUris'], string[] | undefined>>();
isTrue<Same<Settings['server']['baseUrl'], string | null>>();
isTrue<Same<Settings['oauth']['mode'], 'classic' | 'standard' | 'strict'>>();
isTrue<Same<Model['schemas'], ReadonlyMap<string, SchemaModel>>>();

/** A definition is valid with only its required keys. */
export const schema: Schema = {
  name: 'article',
  singular: 'Article',
  plural: 'Articles',
  fields: [{ name: 'title', type: 'text', validation: [{ method: 'char_lte', parameters: 255 }] }],
  relations: [{ schema: 'comment', kind: '1:N' }],
};

export const settings: SettingsInput = { name: 'My blog', oauth: { mode: 'strict' } };

// @ts-expect-error a key that no shape has
export const unknownKey: Schema = { ...schema, fields: [{ name: 'x', type: 'text', searchible: true }] };
// @ts-expect-error a type that does not exist
export const unknownType: Field = { name: 'x', type: 'texts' };
// @ts-expect-error settings as parsed have every part
export const partial: Settings = { name: 'My blog' };

export function readTyped(definitions: Definitions, text: string): string | undefined {
  isTrue<Same<ReturnType<typeof parseDefinition<'rest'>>, ParseResult<Rest>>>();
  const { source } = parseDefinition('rest', 'config/rest/a.json', text);
  // @ts-expect-error a model is never changed
  definitions.schema.clear();
  return source?.value.path ?? definitions.schema.get('article')?.value.singular;
}
