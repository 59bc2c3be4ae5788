import { isRecord } from '../../model/json-value.ts';
import { toKey } from './print.ts';

/** The type of a JSON value: what it is now is what it may be. */
function toType(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    const items = [...new Set(value.map((item) => toType(item, indent)))];
    const [only] = items;
    if (only === undefined) return 'readonly unknown[]';
    return items.length === 1 && !/\s/.test(only) ? `readonly ${only}[]` : `readonly (${items.join(' | ')})[]`;
  }
  if (isRecord(value)) {
    const members = printMembers(value, `${indent}  `);
    return members.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${members.join('\n')}\n${indent}}`;
  }
  return value === null ? 'null' : typeof value;
}

const printMembers = (value: Readonly<Record<string, unknown>>, indent: string): string[] =>
  Object.entries(value).map(([key, part]) => `${indent}readonly ${toKey(key)}: ${toType(part, indent)};`);

/** The interface of `custom` in the settings, within the package's declaration; empty if the settings have none. */
export function printCustom(custom: Readonly<Record<string, unknown>>): string {
  const members = printMembers(custom, '    ');
  return members.length === 0 ? '' : ['  interface CustomSettings {', ...members, '  }'].join('\n');
}
