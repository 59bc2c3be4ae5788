import type { DefinitionKind } from '../../model/shape.ts';
import { readDefinitions } from '../definition.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

/** What of a definition tells it from others at a glance. */
function toSummary(value: object): string[] {
  const { plural, title, name, access, method, path, event, type } = value as Record<string, unknown>;
  const { fields, relations, calls, permissions } = value as Record<string, unknown>;
  const counts = Object.entries({ field: fields, relation: relations, call: calls, permission: permissions });
  return [plural ?? title ?? name, access, method, path, event, type, ...counts.map(toCount)].filter(
    (part): part is string => typeof part === 'string',
  );
}

const toCount = ([word, list]: readonly [string, unknown]): string | undefined =>
  Array.isArray(list) ? `${list.length} ${word}${list.length === 1 ? '' : 's'}` : undefined;

/** `treadle <noun> list`. */
export function toCommand(kind: DefinitionKind): CommandSpec {
  return {
    examples: [`treadle ${kind} list`, `treadle ${kind} list --json`],
    async run(invocation) {
      const definitions = await readDefinitions(invocation);
      const found = [...definitions[kind]].map(([name, { file, value }]) => ({ name, file, value }));
      const rows = found.map(({ name, value }) => [name, ...toSummary(value)]);
      const broken = [...definitions.broken].filter((name) => name.startsWith(`${kind}/`));
      return {
        data: found.map(({ name, file, value }) => ({ name, file, ...value })),
        lines: [
          ...(rows.length === 0 ? ['There is none yet.'] : toTable(rows)),
          ...broken.map((name) => `${name.slice(kind.length + 1)}  (broken: treadle check)`),
        ],
        next: [rows.length === 0 ? `treadle ${kind} create --help` : `treadle ${kind} show ${found[0]?.name ?? ''}`],
      };
    },
  };
}
