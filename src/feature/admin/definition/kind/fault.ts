import type { Problem } from '../../../../core/errors.ts';
import { toLocalText, translate } from '../../../../core/text/translate.ts';
import type { Row } from '../../../../database/database.ts';
import { toFile } from '../../../../model/shape.ts';
import type { Kind } from './control.ts';
import { NAME_FIELD } from './draft.ts';
import { listControls } from './groups.ts';

/** Faults by key of a form. */
export type Faults = Readonly<Record<string, string>>;

/** Problems of the form's own file by key; the others apart. */
export function splitProblems(
  kind: Kind,
  name: string,
  problems: readonly Problem[],
): { readonly faults: Faults; readonly others: readonly Problem[] } {
  const keys = new Set(listControls(kind).map(({ key }) => key));
  const file = toFile(kind, name);
  const faults: Record<string, string> = {};
  const others: Problem[] = [];
  for (const problem of problems) {
    const key = /^[A-Za-z]+/.exec(problem.path)?.[0] ?? '';
    const text = [problem.message, problem.hint ?? ''].filter(Boolean).map(toLocalText).join(' ');
    if (problem.file !== file || !keys.has(key)) others.push(problem);
    else faults[key] = faults[key] === undefined ? text : `${faults[key]} ${text}`;
  }
  return { faults, others };
}

/** Faults of fields as links to them. */
export function toFaultLinks(kind: Kind, faults: Faults): Row[] {
  const labels = new Map(listControls(kind).map(({ key, label }) => [key, label] as const));
  return Object.entries(faults).map(([key, message]) => ({
    href: key === NAME_FIELD ? '#f-file' : `#f-${key}`,
    label: translate(labels.get(key) ?? 'Name'),
    message,
  }));
}
