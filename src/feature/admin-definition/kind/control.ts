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

/** How the value of a key is entered. */
export type Form = 'text' | 'area' | 'select' | 'check' | 'number' | 'date' | 'lines' | 'ticks' | 'map' | 'permissions';

/** One key of a definition in a form. */
export interface ControlSpec {
  /** As the definition has it: `redirectUris`. */
  readonly key: string;
  /** English label. */
  readonly label: string;
  readonly form: Form;
  /** For a new definition; of a check, also the meaning of a missing key. */
  readonly initial?: string | boolean;
  /** Of `select` and `ticks`; for `text` and `lines`, suggestions. */
  readonly choices?: (facts: FormFacts, value: Readonly<Record<string, unknown>>) => readonly Choice[];
  /** Writes `false` too, because that means something else than no key. */
  readonly isTri?: boolean;
  readonly placeholder?: string;
  /** The text as the definition has it. */
  readonly parse?: (text: string) => string;
  readonly inputType?: 'url' | 'email';
}

export interface ControlGroup {
  /** English title. */
  readonly title: string;
  /** Folded until one of its keys is set. */
  readonly isFolded?: boolean;
  readonly controls: readonly ControlSpec[];
}

/** A definition as JSON has it. */
export type Value = Readonly<Record<string, unknown>>;
