import type { Problem } from '../core/errors.ts';
import type { Definitions } from '../model/definitions.ts';
import { listDefinitionTexts } from '../plan/language/definition-texts.ts';
import { findCodeNames } from '../project/code-names.ts';
import { findStrayTexts, type LocaleFile } from '../project/locale-file.ts';

export interface CheckedTexts {
  readonly root: string;
  readonly locales: readonly LocaleFile[];
  readonly definitions: Definitions;
  /** The project's code files. */
  readonly code: readonly string[];
  /** Texts of the templates. */
  readonly texts: readonly string[];
}

/** Checks that every key of the locale files is a text of the project or of Treadle. Reads nothing without locale files. */
export function checkTexts({ root, locales, definitions, code, texts }: CheckedTexts): readonly Problem[] {
  // A definition that cannot be read hides its texts.
  if (locales.length === 0 || definitions.broken.size > 0) return [];
  const inCode = findCodeNames(root, code).flatMap(({ use, name }) => (use === 'text' ? [name] : []));
  return findStrayTexts(locales, new Set([...texts, ...listDefinitionTexts(definitions), ...inCode]));
}
