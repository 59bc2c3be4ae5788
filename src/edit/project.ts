import type { Problem } from '../core/errors.ts';
import type { HookModel, Model } from '../model/model.ts';

/** What a compiled project has, its code included. */
export interface CompiledDefinitions {
  /** Undefined where a problem is more than advice. */
  readonly plan:
    | {
        readonly model: Model;
        readonly calls: readonly { readonly name: string }[];
        readonly hooks: readonly HookModel[];
      }
    | undefined;
  readonly problems: readonly Problem[];
}

/** The project that is edited. */
export interface EditedProject {
  /** Its root, absolute. */
  root(): string;
  /** Laid over the project's `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether nothing is written. */
  readonly isDryRun: boolean;
  /** Compiles the project in a folder. This folder lies below the features, so the caller brings the compiler. */
  compile(root: string): Promise<CompiledDefinitions>;
}
