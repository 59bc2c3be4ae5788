import type { Problem } from '../../core/errors.ts';
import type { Definitions } from '../definitions.ts';
import { type JsonText, parseJsonText } from '../json/json-text.ts';
import { DEFINITION_KINDS } from '../shape.ts';

const STEP = /\["((?:\\.|[^"\\])*)"\]|([^.[\]]+)/g;

/** The steps of a printed path such as `fields[2].type` or `permissions.0.path`. */
const toSteps = (path: string): (string | number)[] =>
  [...path.matchAll(STEP)].map(([, quoted, plain = '']) => {
    if (quoted !== undefined) return JSON.parse(`"${quoted}"`);
    return /^\d+$/.test(plain) ? Number(plain) : plain;
  });

function listTexts(definitions: Definitions): Map<string, string> {
  const texts = new Map([[definitions.settings.file, definitions.settings.text]]);
  for (const kind of DEFINITION_KINDS) for (const { file, text } of definitions[kind].values()) texts.set(file, text);
  return texts;
}

/** The problems of definition files, each with the line and column of its path. */
export function addLines(problems: readonly Problem[], definitions: Definitions): Problem[] {
  if (problems.every(({ line }) => line !== undefined)) return [...problems];
  const texts = listTexts(definitions);
  const parsed = new Map<string, JsonText>();
  return problems.map((problem) => {
    const text = problem.line === undefined ? texts.get(problem.file) : undefined;
    if (text === undefined) return problem;
    const json = parsed.get(problem.file) ?? parseJsonText(text);
    parsed.set(problem.file, json);
    return { ...problem, ...json.findPlace(toSteps(problem.path)) };
  });
}
