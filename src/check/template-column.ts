import { readFileSync } from 'node:fs';
import type { Problem } from '../core/errors.ts';
import type { Model } from '../model/model.ts';
import { findMisspeltKeys } from './code-column.ts';
import { type ColumnJudge, createColumnJudge } from './column-judge.ts';

/** The data that a folder of templates reads, with its places. */
export interface TemplateReads {
  readonly paths: readonly {
    /** Such as `article`, `article_title`. */
    readonly parts: readonly string[];
    readonly line: number;
    readonly column: number;
    readonly file: string;
  }[];
  /** Names that templates or helpers give a value. */
  readonly given: readonly string[];
}

export interface CheckedProject {
  readonly root: string;
  /** Templates of the project, after their `check`. */
  readonly views: { reads(): readonly TemplateReads[] };
  /** The project's code files. */
  readonly code: readonly string[];
}

/** The words of the code: a template may read whatever the code names. */
function readWords(files: readonly string[]): ReadonlySet<string> {
  const texts = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)).map((file) => readFileSync(file, 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
}

/** What a template reads within a column, such as a key of a JSON value, is not judged. */
function findMisspeltReads(
  { isColumn, judge }: ColumnJudge,
  { views, code }: Pick<CheckedProject, 'views' | 'code'>,
): Problem[] {
  const reads = views.reads();
  const given = new Set(reads.flatMap((each) => each.given));
  const suspects = reads.flatMap(({ paths }) =>
    paths.flatMap(({ parts, ...place }) => {
      const end = parts.findIndex(isColumn);
      return parts.slice(0, end < 0 ? parts.length : end).flatMap((name) => {
        const hint = given.has(name) ? undefined : judge(name);
        return hint === undefined ? [] : [{ name, hint, ...place }];
      });
    }),
  );
  if (suspects.length === 0) return [];
  const words = readWords(code);
  return suspects
    .filter(({ name }) => !words.has(name))
    .map(({ name, ...place }) => {
      const message = `No row has "${name}", which the template reads, and no code names it.`;
      return { code: 'VIEW_COLUMN_UNKNOWN', path: '', severity: 'warning', message, ...place };
    });
}

/**
 * Warns of names in templates that can only be a misspelt column ({@link createColumnJudge}), if no template gives them a
 * value and no code of the project contains the word; and of such names in a search's filter, order and fields in code.
 */
export function findMisspelt(model: Model, { root, views, code }: CheckedProject): Problem[] {
  const judge = createColumnJudge(model);
  return [...findMisspeltReads(judge, { views, code }), ...findMisspeltKeys(judge, root, code)];
}
