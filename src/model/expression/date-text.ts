/** The form of a date, and of a moment before its time. */
const DAY = '(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';

/** The patterns of stored dates and moments, in the syntax that JavaScript and PostgreSQL share. */
export const TIME_PATTERNS = { date: `^${DAY}$`, moment: `^${DAY} ${TIME}$` } as const;

const PATTERNS = { date: new RegExp(TIME_PATTERNS.date), moment: new RegExp(TIME_PATTERNS.moment) };

/** Whether a text is a date or a moment as Treadle stores it. */
export const isTimeText = (name: 'date' | 'moment', text: string): boolean => PATTERNS[name].test(text);
