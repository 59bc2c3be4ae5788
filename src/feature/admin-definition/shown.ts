import { isRecord } from '../../model/json/json-value.ts';

type FormValues = Readonly<Record<string, unknown>>;

/**
 * Whether a posted form had the control of a key. A box that is not ticked posts nothing, so the page says by `_boxes[<id>]`
 * that it was there. What a page from before an upgrade did not have stays as it is.
 *
 * @param id Of the box in its page.
 * @param value What was posted of the key.
 */
export const isShown = (posted: FormValues, id: string, value: unknown): boolean =>
  value !== undefined || isMarked(posted, id) || !hasMarks(posted);

/** Whether a form says which boxes it had. That of a program, or of a release without marks, does not. */
const hasMarks = ({ _boxes: marks }: FormValues): boolean => isRecord(marks);

/** Whether a form says that it had a box. */
export const isMarked = ({ _boxes: marks }: FormValues, id: string): boolean =>
  isRecord(marks) && Object.hasOwn(marks, id);
