import type { Problem } from '../core/errors.ts';
import type { HookModel, Model } from '../model/model.ts';

/** A compiled project, including its code. */
export interface CompiledDefinitions {
  /** Undefined if there is an error. */
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
  /** Overrides the project's `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Words of the command that edits it, such as `schema create`; undefined in the admin section, which keeps its own history. */
  readonly command?: string;
  /** If true, nothing is written. */
  readonly isDryRun: boolean;
  /** Compiles the project in a folder. This folder ranks below the features, so the caller provides the compiler. */
  compile(root: string): Promise<CompiledDefinitions>;
}
