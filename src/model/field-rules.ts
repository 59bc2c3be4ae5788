import { fieldKinds } from './field-kind.ts';
import { formats } from './format.ts';
import { findFormatFault } from './format-fault.ts';
import type { FieldType, Format, Validation } from './shape.ts';
import { findRuleFault, validators } from './validate.ts';

export const FLAGS = ['required', 'unique', 'searchable', 'filterable', 'sortable', 'private'] as const;
export type Flag = (typeof FLAGS)[number];

/** The flags, rules and formats that fields may have, for the linker. */
export interface FieldRules {
  readonly methods: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** Flags allowed for a type. */
  flags(type: FieldType): ReadonlySet<Flag>;
  /** The fault of a rule with a known method, worded after "The rule"; undefined if valid. */
  findFault(rule: Validation): string | undefined;
  /** The fault of a known format's parameters, worded after "The format". */
  findFormatFault?(format: Format): string | undefined;
}

const ROW_TYPES: ReadonlySet<FieldType> = new Set(['active', 'created', 'updated']);

function flags(type: FieldType): ReadonlySet<Flag> {
  const kind = fieldKinds[type];
  const allowed = new Set<Flag>();
  const isStored = kind.sql !== undefined;
  if (isStored && !kind.isSystem) allowed.add('required');
  // An index cannot hold text of any length.
  const isComparable = !kind.isJson && !kind.isSecret && !kind.isLong;
  if (isStored && isComparable && (!kind.isSystem || type === 'uuid')) allowed.add('unique');
  for (const flag of ['searchable', 'filterable', 'sortable'] as const) if (kind.flags[flag]) allowed.add(flag);
  // Nobody sees a secret, and a row's own fields decide who sees the row.
  if (isStored && !kind.isSecret && !ROW_TYPES.has(type)) allowed.add('private');
  return allowed;
}

export const fieldRules: FieldRules = {
  methods: new Set(Object.keys(validators)),
  formats: new Set(Object.keys(formats)),
  flags,
  findFault: findRuleFault,
  findFormatFault,
};
