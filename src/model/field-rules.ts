import { fieldKinds } from './field-kind.ts';
import { formats } from './format.ts';
import { findFormatFault } from './format-fault.ts';
import type { FieldType, Format, Validation } from './shape.ts';
import { findRuleFault, validators } from './validate.ts';

export const FLAGS = ['required', 'unique', 'searchable', 'filterable', 'sortable'] as const;
export type Flag = (typeof FLAGS)[number];

/** What a field may carry; the linker's view of the tables of types, validation methods and formats. */
export interface FieldRules {
  readonly methods: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** Flags that a field of a type may have. */
  flags(type: FieldType): ReadonlySet<Flag>;
  /** What is wrong with a rule of a known method, worded after "The rule"; undefined where nothing is. */
  findFault(rule: Validation): string | undefined;
  /** What is wrong with the parameters of a known format, worded after "The format". */
  findFormatFault?(format: Format): string | undefined;
}

function flags(type: FieldType): ReadonlySet<Flag> {
  const kind = fieldKinds[type];
  const allowed = new Set<Flag>();
  const isStored = kind.sql !== undefined;
  if (isStored && !kind.isSystem) allowed.add('required');
  // No index holds a text of any length.
  const isComparable = !kind.isJson && !kind.isSecret && !kind.isLong;
  if (isStored && isComparable && (!kind.isSystem || type === 'uuid')) allowed.add('unique');
  for (const flag of ['searchable', 'filterable', 'sortable'] as const) if (kind.flags[flag]) allowed.add(flag);
  return allowed;
}

export const fieldRules: FieldRules = {
  methods: new Set(Object.keys(validators)),
  formats: new Set(Object.keys(formats)),
  flags,
  findFault: findRuleFault,
  findFormatFault,
};
