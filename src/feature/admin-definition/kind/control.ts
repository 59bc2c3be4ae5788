import type { Definitions } from '../../../model/definitions.ts';
import type { Plan } from '../../../plan/feature.ts';

/** Kinds of definitions whose pages are here. */
export const KINDS = ['rest', 'scope', 'webhook', 'app', 'role'] as const;
export type Kind = (typeof KINDS)[number];

/** What the choices of a form come from. */
export interface FormFacts {
  readonly definitions: Definitions;
  readonly plan: Plan;
}

export interface Choice {
  readonly value: string;
  readonly label?: string;
  readonly hint?: string | undefined;
}

/** A definition as JSON has it. */
export type Value = Readonly<Record<string, unknown>>;
