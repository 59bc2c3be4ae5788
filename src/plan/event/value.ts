import * as z from 'zod';
import { PAGE_LIMIT_ERROR, readPageLimit } from '../../core/text/page-limit.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Row } from '../../database/row-statement.ts';
import { isBlank } from '../../model/json/json-value.ts';

/** A value as a query, a form or code gives it. */
const written = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A text; a number counts as its digits. Undefined where nothing or an empty text is given. */
export const text = (description: string) =>
  written()
    .optional()
    .transform((value) => (isBlank(value) ? undefined : String(value)))
    .describe(description);

/** The id of a row: a whole number, or a text of its digits. What is no id stays the text that it is, for the message. */
export const id = (description: string) =>
  z
    .union([z.number(), z.string()])
    .transform((value) => toId(value))
    .describe(description);

/** As {@link id}; undefined where nothing or an empty text is given. */
export const optionalId = (description: string) =>
  written()
    .optional()
    .transform((value) => (isBlank(value) ? undefined : toId(String(value))))
    .describe(description);

function toId(value: string | number): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) && String(value).trim() !== '' ? number : String(value);
}

/** Digits alone: code that compares a stage's text must not miss the row that `0x2` or `2e0` would name. */
const digits = () => z.string().regex(/^\d{1,15}$/);

const lookup = () => z.union([z.number(), digits()]).transform(Number).pipe(z.int().positive()).catch(0);

/** The id of a row to look up, as a number or a text of its digits. What is no id is 0, which no row has. */
export const lookupId = (description: string) => lookup().describe(description);

/** As {@link lookupId}; undefined where the key is missing. */
export const optionalLookupId = (description: string) => lookup().optional().describe(description);

/** As {@link lookupId}; undefined where the key is missing or null. */
export const nullableLookupId = (description: string) =>
  lookup()
    .nullish()
    .transform((value) => value ?? undefined)
    .describe(description);

/** A value that a function reads of a text, with the message about one that it cannot read. Undefined where nothing is given. */
export const readBy = <T>(
  read: (given: string) => T | undefined,
  toMessage: (given: string) => string,
  description: string,
) =>
  written()
    .optional()
    .transform((value, context) => {
      if (isBlank(value)) return undefined;
      const result = read(String(value));
      if (result === undefined)
        context.issues.push({ code: 'custom', message: toMessage(String(value)), input: value });
      return result;
    })
    .describe(description);

/** Rows of a page, 1 to 100. Default 50. */
export const pageLimit = (description: string) =>
  written()
    .optional()
    .transform((value, context) => {
      const limit = readPageLimit(value);
      if (limit !== undefined) return limit;
      context.issues.push({ code: 'custom', message: PAGE_LIMIT_ERROR, input: value });
      return z.NEVER;
    })
    .describe(description);

/** Words of which a value is one, and the sentence about any other, such as `A job is never odd.` */
export interface WordChoice {
  readonly known: readonly string[];
  /** Stands for all of them in a list. */
  readonly all?: string;
  refuse(word: string): string;
}

function refuseWord({ known, refuse }: WordChoice, words: readonly string[]): string | undefined {
  const wrong = words.find((word) => !known.includes(word));
  return wrong === undefined ? undefined : `${refuse(wrong)} ${toDidYouMean(wrong, known)}`;
}

/** One of several words. Undefined where nothing or an empty text is given; any other is refused with a hint. */
export const word = (choice: WordChoice, description: string) =>
  written()
    .optional()
    .transform((value, context) => {
      if (isBlank(value)) return undefined;
      const message = refuseWord(choice, [String(value)]);
      if (message === undefined) return String(value);
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    })
    .describe(description);

/** As {@link word}, of a list or of words with commas between. */
export const words = (choice: WordChoice, description: string) =>
  z
    .union([written(), z.array(written())])
    .optional()
    .transform((value, context) => {
      if (isBlank(value)) return undefined;
      if (value === choice.all) return [...choice.known];
      const list = Array.isArray(value) ? value.map(String) : String(value).split(',');
      const message = refuseWord(choice, list);
      if (message === undefined) return list;
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    })
    .describe(description);

/** A text as it is; what is no text counts as an empty one. Undefined where nothing is given. */
export const onlyText = (description: string) =>
  z
    .custom<string>()
    .meta({ type: 'string' })
    .optional()
    .transform((value: unknown) => (value === undefined || typeof value === 'string' ? value : ''))
    .describe(description);

/** True only for `true` itself. */
export const onlyTrue = (description: string) =>
  z
    .custom<boolean>()
    .meta({ type: 'boolean' })
    .optional()
    .transform((value) => value === true)
    .describe(description);

/** 1 or 0 as a number or a text; what is neither counts as 0. */
export const flag = (description: string, preset: 0 | 1 = 0) =>
  z
    .custom<0 | 1 | '0' | '1'>()
    .meta({ enum: [0, 1, '0', '1'] })
    .nullish()
    .transform((value) => String(value ?? preset) === '1')
    .describe(description);

/** The tick of a form, or a truth value: true for true, 1, `1` and `on`, false for anything else. */
export const tick = (description: string) =>
  z
    .custom<boolean | 0 | 1 | '0' | '1' | 'on'>()
    .meta({ enum: [true, false, 0, 1, '0', '1', 'on'] })
    .nullish()
    .transform((value) => value === true || value === 1 || value === '1' || value === 'on')
    .describe(description);

/** Any value, for keys that the behaviour checks itself. */
export const anything = (description: string) => z.unknown().optional().describe(description);

/** A row of a table, by the names of its columns. */
export const row = () => z.custom<Row>((value) => typeof value === 'object' && value !== null).meta({ type: 'object' });
