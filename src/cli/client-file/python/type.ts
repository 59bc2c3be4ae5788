import { toList, toRecord } from '../../../model/json/json-parts.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { toTypeName } from '../../types/print.ts';
import { findComponent } from '../type.ts';

const KEYWORDS: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield self`.split(/\s+/),
);

/** A name as a Python identifier: `blog-post` becomes `blog_post`, `in` becomes `in_`. */
export function toIdentifier(name: string): string {
  const plain = name.replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
  return KEYWORDS.has(plain) || plain === '' ? `${plain}_` : plain;
}

const isIdentifier = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !KEYWORDS.has(name);

/** A text as a Python literal; JSON's escapes are Python's. */
export const toText = (text: string): string => JSON.stringify(text);

const toLiteral = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value);

/** A docstring on one line; nothing for an empty text. A definition's text cannot end it. */
export function toDocstring(text: string, indent: string): string[] {
  const line = text.replace(/\s+/g, ' ').replace(/\\/g, '\\\\').replace(/"/g, "'").trim();
  return line === '' ? [] : [`${indent}"""${line}"""`];
}

/** A member of a typed dictionary. */
interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** Stands for the name of a type within its own text. */
export const OWN_NAME = '%NAME%';

const unite = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'typing.Any';

/** The declared types of a module: each text once, under a free name. */
export class PythonTypes {
  readonly #schemas: Json;
  readonly #declared: string[] = [];
  readonly #names = new Set<string>(['Client']);
  readonly #byText = new Map<string, string>();
  readonly #byComponent = new Map<string, string>();

  constructor(document: Json) {
    this.#schemas = toRecord(toRecord(document.components).schemas);
  }

  get text(): string {
    return this.#declared.map((text) => text.trimEnd()).join('\n\n\n');
  }

  get names(): readonly string[] {
    return [...this.#byText.values()];
  }

  /** Names the type of a component before its text, because rows may refer to each other. */
  reserve(component: string, name: string): void {
    this.#names.add(name);
    this.#byComponent.set(component, name);
  }

  /** A name that nothing has; the names of reserved components stay theirs. */
  #toFree(name: string): string {
    let free = name;
    for (let count = 2; this.#names.has(free); count += 1) free = `${name}${count}`;
    this.#names.add(free);
    return free;
  }

  /** Declares a type by its text, with {@link OWN_NAME} for its name; the same text is declared once. */
  #add(text: string, wanted: string, isReserved: boolean): string {
    const known = isReserved ? undefined : this.#byText.get(text);
    if (known !== undefined) return known;
    const name = isReserved ? wanted : this.#toFree(wanted);
    this.#byText.set(isReserved ? `${name}:${text}` : text, name);
    this.#declared.push(text.replaceAll(OWN_NAME, name));
    return name;
  }

  alias(wanted: string, type: string): string {
    return this.#add(`${OWN_NAME}: typing.TypeAlias = ${type}`, wanted, false);
  }

  /**
   * Declares a typed dictionary. @returns Its name.
   *
   * @param more.base Name of the dictionary that it extends.
   * @param more.isReserved True if the name was reserved for it.
   */
  declare(
    wanted: string,
    members: readonly Member[],
    more: { readonly base?: string; readonly about?: string; readonly isReserved?: boolean } = {},
  ): string {
    const { base, about = '', isReserved = false } = more;
    const wrap = ({ type, isOptional }: Member): string => (isOptional ? `typing.NotRequired[${type}]` : type);
    const isClass = base !== undefined || members.every(({ name }) => isIdentifier(name));
    const lines = isClass
      ? [
          `class ${OWN_NAME}(${base ?? 'typing.TypedDict'}):`,
          ...toDocstring(about, '    '),
          ...members.map((member) => `    ${toIdentifier(member.name)}: ${wrap(member)}`),
          ...(members.length === 0 && about === '' ? ['    pass'] : []),
          '',
        ]
      : [
          `${OWN_NAME} = typing.TypedDict(`,
          `    "${OWN_NAME}",`,
          '    {',
          // As texts, because a type may stand below.
          ...members.map((member) => `        ${toText(member.name)}: ${toText(wrap(member))},`),
          '    },',
          ')',
        ];
    return this.#add(lines.join('\n'), wanted, isReserved);
  }

  /** The members of an object's schema. */
  listMembers(schema: Json, hint: string): Member[] {
    const required = toList(schema.required);
    return Object.entries(toRecord(schema.properties)).map(([name, value]) => ({
      name,
      type: this.print(value, `${hint}${toTypeName(name)}`),
      isOptional: !required.includes(name),
    }));
  }

  /**
   * A JSON Schema as a Python type; `Any` if it cannot be expressed.
   *
   * @param hint Name for the dictionary that an object within it becomes.
   */
  print(given: unknown, hint: string): string {
    const component = findComponent(given);
    if (component !== undefined) return this.#printComponent(component);
    const schema = toRecord(given);
    if ('const' in schema) return `typing.Literal[${toLiteral(schema.const)}]`;
    if (Array.isArray(schema.enum)) return `typing.Literal[${schema.enum.map(toLiteral).join(', ')}]`;
    const choices = [...toList(schema.anyOf), ...toList(schema.oneOf)];
    if (choices.length > 0 && schema.type === undefined)
      return unite(choices.map((part, index) => this.print(part, `${hint}${index === 0 ? '' : index + 1}`)));
    if (Array.isArray(schema.allOf)) return this.#printAll(schema.allOf, hint);
    return unite([schema.type].flat().map((type) => this.#printPlain(String(type), schema, hint)));
  }

  /** A row with more keys extends the row's type. */
  #printAll(parts: readonly unknown[], hint: string): string {
    const [first, second, ...others] = parts;
    if (second === undefined) return this.print(first, hint);
    const base = this.#byComponent.get(findComponent(first) ?? '');
    const isRow = base !== undefined && others.length === 0 && 'properties' in toRecord(second);
    return isRow ? this.declare(hint, this.listMembers(toRecord(second), hint), { base }) : 'dict[str, typing.Any]';
  }

  #printComponent(component: string): string {
    const known = this.#byComponent.get(component);
    if (known !== undefined) return known;
    const type = this.print(this.#schemas[component], toTypeName(component));
    this.#byComponent.set(component, type);
    return type;
  }

  #printPlain(type: string, schema: Json, hint: string): string {
    const plain = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type];
    if (plain !== undefined) return plain;
    if (type === 'array') return `list[${this.print(schema.items, `${hint}Item`)}]`;
    if (type !== 'object' && !('properties' in schema)) return 'typing.Any';
    const members = this.listMembers(schema, hint);
    if (members.length > 0) return this.declare(hint, members);
    const { additionalProperties: more } = schema;
    return `dict[str, ${isRecord(more) ? this.print(more, `${hint}Value`) : 'typing.Any'}]`;
  }
}
