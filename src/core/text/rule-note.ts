import { isObject } from '../record.ts';
import { readScope } from '../scope-store.ts';
import { toLocalText } from './translate.ts';

/** The rule that a value breaks, for programs. */
export interface RuleNote {
  /** Name of the rule, such as `required` or `char_lte`. */
  readonly rule: string;
  /** What the rule was given, such as `{ max: 10 }`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** The name that an unknown one most likely meant. */
  readonly suggestion?: string | undefined;
}

/** Notes of a request by message. A message without a caller, as in a job, is for people only. */
const notes = new WeakMap<object, Map<string, RuleNote>>();

/** Most notes of a request: an import may refuse a million rows, and the answer names a few of them. */
const MOST_NOTES = 5000;

const SUGGESTION = /Did you mean "([^"]+)"\?$/;

/**
 * Notes which rule a message is about, for the answer of the running request, and gives the message. Messages wander as texts through
 * events, listeners and batches; the note is found again by the text, wherever the message ends up.
 *
 * @param column Tells apart messages of the same text, which a project may have given to several columns.
 */
export function noteRule(message: string, note: RuleNote, column = ''): string {
  const caller = readScope<{ readonly caller?: object }>()?.caller;
  if (caller === undefined) return message;
  const [, suggestion] = SUGGESTION.exec(message) ?? [];
  const whole = suggestion === undefined ? note : { ...note, suggestion };
  const known = notes.get(caller) ?? new Map<string, RuleNote>();
  notes.set(caller, known);
  if (known.size >= MOST_NOTES) return message;
  for (const text of [message, toLocalText(message)]) {
    addNote(known, `${column}\n${text}`, whole);
    if (column !== '') addNote(known, `\n${text}`, whole);
  }
  return message;
}

/** Of a message that a project gave to several rules of a column, in an answer with several rows. */
const ANY_RULE: RuleNote = { rule: 'value' };

function addNote(known: Map<string, RuleNote>, key: string, note: RuleNote): void {
  const before = known.get(key);
  const isOther = before !== undefined && JSON.stringify(before) !== JSON.stringify(note);
  known.set(key, isOther ? ANY_RULE : note);
}

/** What a message of a form most likely says: that a value is missing, or that another row has it. */
function toUsualNote(message: string): RuleNote {
  if (/^Cannot be empty$| is (?:required|missing)\.?$/.test(message)) return { rule: 'required' };
  return { rule: /Already Exists$| is already taken$/.test(message) ? 'taken' : 'value' };
}

/** As {@link noteRule}, for messages by key, at any depth, that have no note yet. */
export function noteOthers(
  messages: Readonly<Record<string, unknown>>,
  toNote: (message: string) => RuleNote = toUsualNote,
): void {
  const caller = readScope<{ readonly caller?: object }>()?.caller;
  if (caller === undefined) return;
  for (const message of Object.values(messages)) {
    if (isObject(message)) noteOthers(message, toNote);
    else if (typeof message === 'string' && findRule(caller, message) === undefined) noteRule(message, toNote(message));
  }
}

/** The note of a message that a caller is told; undefined if Treadle did not make the message. */
export function findRule(caller: object, message: string, column = ''): RuleNote | undefined {
  const known = notes.get(caller);
  return known?.get(`${column}\n${message}`) ?? known?.get(`\n${message}`);
}
