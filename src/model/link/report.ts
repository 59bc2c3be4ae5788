import type { Problem, Severity } from '../../core/errors.ts';
import { type JsonText, parseJsonText, printPath } from '../json/json-text.ts';
import type { Source } from '../parse.ts';

interface ProblemText {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly severity?: Severity;
}

/** Collects problems with their file, path and line. */
export interface Report {
  readonly problems: Problem[];
  add(source: Source<unknown>, path: readonly (string | number)[], problem: ProblemText): void;
}

export function createReport(): Report {
  const problems: Problem[] = [];
  // A text is parsed again only if it has a problem.
  const texts = new Map<Source<unknown>, JsonText>();
  return {
    problems,
    add(source, path, problem) {
      const text = texts.get(source) ?? parseJsonText(source.text);
      texts.set(source, text);
      problems.push({ ...problem, file: source.file, path: printPath(path), ...text.findPlace(path) });
    },
  };
}
