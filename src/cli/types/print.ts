/** One member of an interface. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  readonly isReadonly?: boolean;
  readonly description?: string | undefined;
}

const WORD = /^[A-Za-z_$][\w$]*$/;

/** A text as a TypeScript literal, in single quotes. */
export const toLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Literals as a union; `never` for none. */
export const toUnion = (texts: readonly string[]): string =>
  texts.length === 0 ? 'never' : texts.map(toLiteral).join(' | ');

/** A member name in an interface: quoted unless it is an identifier. */
export const toKey = (name: string): string => (WORD.test(name) ? name : toLiteral(name));

/** A comment on one line; nothing for an empty text. A definition's text cannot end the comment. */
export function toComment(text: string | undefined, indent = ''): string[] {
  const line = (text ?? '').replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
  return line === '' ? [] : [`${indent}/** ${line} */`];
}

function printMember({ name, type, isOptional, isReadonly, description }: Member, indent: string): readonly string[] {
  const key = name.startsWith('[') ? name : `${toKey(name)}${isOptional ? '?' : ''}`;
  return [...toComment(description, indent), `${indent}${isReadonly ? 'readonly ' : ''}${key}: ${type};`];
}

export interface InterfaceText {
  readonly name: string;
  readonly members: readonly Member[];
  readonly base?: string;
  readonly description?: string | undefined;
}

export function printInterface({ name, members, base, description }: InterfaceText): string {
  const head = `export interface ${name}${base === undefined ? '' : ` extends ${base}`} {`;
  const body = members.flatMap((member) => printMember(member, '  '));
  const lines = body.length === 0 ? [`${head}}`] : [head, ...body, '}'];
  return [...toComment(description), ...lines].join('\n');
}

/** A definition's name as a TypeScript type: `blog-post` becomes `BlogPost`. */
export function toTypeName(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** A unique type name for each: `blog-post` and `blogPost` would both be `BlogPost`. */
export function toTypeNames(names: Iterable<string>): Map<string, string> {
  const taken = new Set<string>();
  const found = new Map<string, string>();
  for (const name of [...names].sort()) {
    const plain = toTypeName(name);
    let own = plain;
    // No name produces a trailing `_`, because `_` separates words.
    for (let count = 2; taken.has(own); count += 1) own = `${plain}_${count}`;
    taken.add(own);
    found.set(name, own);
  }
  return found;
}
