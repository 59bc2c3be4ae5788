import type { Response } from '../../../core/request/response.ts';
import { noteRule } from '../../../core/text/rule-note.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Item } from './item.ts';

/** Where an item is in the body of the request. */
export interface ItemLocation {
  /** Keys of the item, such as `comment`, `0`. */
  readonly at: readonly string[];
  /** Keys between the item and a column; by the column's name for one that the path has. */
  toColumn(column: string): readonly string[];
  /** For people, such as `comment[0]`. */
  readonly name: string;
}

/** Headers of an item's refusal that the whole answer needs too. */
const PASSED = ['www-authenticate', 'retry-after'];

/** Status of a failed item, by the rule of a whole request. */
function toStatus(failed: Response): number {
  const status = failed.getStatus();
  if (failed.isError() && status >= 400) return status;
  return failed.isError() && failed.hasValidation() ? 422 : 400;
}

/** Copies the failure of an item to the response of the request, each message at its place in the body. */
export function tellFailure(response: Response, failed: Response, { call }: Item, location: ItemLocation): void {
  const { at, toColumn, name } = location;
  const status = toStatus(failed);
  const message = failed.isError()
    ? (failed.getMessage() ?? 'The call failed.')
    : translate('The project answers "{call}" in a form that no other answer can hold. Send it alone.', {
        call: call.name,
      });
  const messages = Object.entries(failed.getValidation() as Readonly<Record<string, unknown>>);
  for (const [column, text] of messages) response.addValidation(...at, ...toColumn(column), text);
  if (messages.length === 0) {
    const isVersion = status === 412 || status === 428;
    noteRule(message, { rule: isVersion ? 'header' : 'failed' });
    response.addValidation(...at, ...(isVersion ? toColumn('ifMatch') : []), message);
  }
  for (const header of PASSED) {
    const value = failed.getHeaders(header);
    if (value !== undefined) response.addHeader(header, value);
  }
  const code = failed.isError() ? failed.refusal?.code : 'REST_ITEM_ANSWER';
  response.refuse({ status, message: `${name}: ${message}`, ...(code === undefined ? {} : { code }) });
}
