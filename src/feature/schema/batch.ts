import type { Response } from '../../core/request/response.ts';
import { noteOthers, noteRule } from '../../core/text/rule-note.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { isRecord } from '../../model/json/json-value.ts';
import { MOST_ITEMS } from '../../plan/call/batch.ts';
import { type Stage, toId } from './stage.ts';

export const BATCH_ACTIONS = ['create', 'update', 'remove', 'restore'] as const;
type BatchAction = (typeof BATCH_ACTIONS)[number];

/** One checked change of a batch. */
export interface Operation {
  readonly action: BatchAction;
  /** Undefined on create. */
  readonly id: number | undefined;
  readonly values: Stage;
}

const KEYS = ['action', 'id', 'values'];

/** Reads one operation. `tell` gets each error by key; the key `''` is the operation itself. */
function readOperation(given: unknown, tell: (key: string, message: string) => void): Operation | undefined {
  if (!isRecord(given)) return void tell('', 'must be an object with "action", and "id" or "values"');
  const { action, id, values } = given;
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return void tell(unknown, `is not known. ${toDidYouMean(unknown, KEYS)}`);
  const known = BATCH_ACTIONS.find((name) => name === action);
  if (known === undefined) {
    return void tell('action', `must be ${BATCH_ACTIONS.join(', ')}. ${toDidYouMean(String(action), BATCH_ACTIONS)}`);
  }
  const takesValues = known === 'create' || known === 'update';
  if (takesValues ? values !== undefined && !isRecord(values) : values !== undefined) {
    return void tell('values', takesValues ? 'must be an object of columns' : `must be left out of ${known}`);
  }
  if (known === 'create') {
    if (id !== undefined) return void tell('id', 'must be left out of create');
    return { action: known, id: undefined, values: isRecord(values) ? values : {} };
  }
  const row = toId(id);
  if (row === undefined) return void tell('id', 'must be the id of a row');
  return { action: known, id: row, values: isRecord(values) ? values : {} };
}

/**
 * Reads the operations of a batch. If any is invalid, sets every error on the response by its place and gives
 * undefined.
 */
export function readOperations(given: unknown, response: Response): Operation[] | undefined {
  const refuse = (message: string): undefined => void response.refuse({ status: 400, code: 'BATCH_INVALID', message });
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_ITEMS) {
    const message = `"operations" must be a list of 1 to ${MOST_ITEMS} operations.`;
    response.addValidation('operations', noteRule(message, { rule: 'limit', params: { min: 1, max: MOST_ITEMS } }));
    return refuse(message);
  }
  const errors: string[] = [];
  const operations = given.flatMap((entry: unknown, index) => {
    const read = readOperation(entry, (key, message) => {
      const text = key === '' ? `An operation ${message}` : `"${key.slice(0, 64)}" ${message}`;
      response.addValidation('operations', String(index), ...(key === '' ? [] : [key]), text);
      noteOthers({ text }, () => ({ rule: text.includes('is not known') ? 'unknown' : 'value' }));
      errors.push(`operations[${index}]: ${text}`);
    });
    return read === undefined ? [] : [read];
  });
  return errors.length === 0 ? operations : refuse(errors[0] ?? '');
}
